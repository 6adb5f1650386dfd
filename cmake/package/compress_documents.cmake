# As Debian's policy has it: manual pages and changelogs of a package are compressed, without a time in the file.
file(GLOB documents ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/man*/*.[1-9]
     ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*/changelog)
foreach(document ${documents})
  execute_process(COMMAND gzip -9 --no-name ${document} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
