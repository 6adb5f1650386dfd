#!/bin/sh
# Does in a new Debian system what the first stage of the Dockerfile does: copies the checkout there and runs the stage's
# RUN commands with nothing installed but what Debian's base has, then the stage's ENTRYPOINT with another command.
# clean_checkout.sh FOLDER CHECKOUT. Exit status 77: no such system can be made here, so nothing was tested.
set -u
folder=$1 checkout=$2
command -v mmdebstrap >/dev/null 2>&1 || { echo "skipped: mmdebstrap is not installed"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "skipped: a new system needs root"; exit 77; }
[ -e "$checkout/.git" ] || { echo "skipped: $checkout is not a checkout of a repository"; exit 77; }
root=$folder/root
rm -rf "$folder" && mkdir -p "$folder" || exit 1
trap 'umount "$root/proc" 2>/dev/null; rm -rf --one-file-system "$folder"' EXIT
cd "$folder" || exit 1
fail() { echo "$1"; exit 1; }
stage=$(sed -n '/^FROM .* AS nplab$/,/^FROM nplab AS/p' "$checkout/Dockerfile")
commands=$(printf '%s\n' "$stage" | sed -n 's/^RUN //p')
workdir=$(printf '%s\n' "$stage" | sed -n 's/^WORKDIR //p')
[ -n "$commands" ] && [ -n "$workdir" ] || fail "the Dockerfile's first stage has no RUN or no WORKDIR"
mmdebstrap --quiet --variant=apt --skip=cleanup/apt bookworm "$root" >mmdebstrap.log 2>&1 ||
  { echo "skipped: no new system can be made:"; tail -n 3 mmdebstrap.log; exit 77; }
cp /etc/resolv.conf "$root/etc/" || exit 1
mount -t proc proc "$root/proc" || { echo "skipped: the new system's /proc cannot be mounted"; exit 77; }
git clone --quiet --no-hardlinks "$checkout" "$root$workdir" || fail "the checkout cannot be copied"
in_stage() { chroot "$root" /bin/sh -c "cd $workdir && $1"; }
begin=$(date +%s)
printf '%s\n' "$commands" | while IFS= read -r command; do
  in_stage "$command" >run.txt 2>run.err </dev/null || { tail -n 30 run.txt run.err; fail "failed: $command"; }
done || exit 1
echo "the stage's commands took $(($(date +%s) - begin)) s"
grep -q "bv2 is best" run.txt || { tail -n 30 run.txt; fail "the comparison has no verdict"; }
in_stage "./nplab run bv1 --packets 200 --quiet --json /tmp/r.json" >more.txt 2>&1 || { cat more.txt; fail "a second command failed"; }
[ -s "$root/tmp/r.json" ] || fail "a second command wrote no record"
[ -z "$(git -C "$root$workdir" status --porcelain)" ] || fail "the build wrote into the checkout: $(git -C "$root$workdir" status --porcelain)"
