# Debian 12 with nplab built and its published experiment run; the test suite is the second stage.
#   docker build --target nplab -t nplab . && docker run --rm nplab compare ls bv1 bv2
#   docker build --target test .
FROM debian:12 AS nplab
COPY . /nplab
WORKDIR /nplab
RUN ./nplab compare ls bv1 bv2
ENTRYPOINT ["./nplab"]
CMD ["--help"]

FROM nplab AS test
RUN .ci/run
