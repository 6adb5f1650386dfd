#!/bin/bash
# The VS Code extension under node, with a test client from npm's registry.
# usage: vscode_tests.sh PROGRAM FOLDER (of the build, where the client is kept). Status 77: skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$1
modules=$2
client=@vscode/debugadapter-testsupport@1.68.0
command -v node > /dev/null && command -v npm > /dev/null || { echo "skipped: node and npm are not installed"; exit 77; }
mkdir -p "$modules"
if [ ! -d "$modules/node_modules/@vscode/debugadapter-testsupport" ]; then
  (cd "$modules" && timeout 60 npm install --silent --no-audit --no-fund "$client") > "$modules/npm.log" 2>&1 ||
    { echo "skipped: npm cannot install $client (see $modules/npm.log)"; exit 77; }
fi
exec timeout 120 node "$here/vscode_tests.js" "$program" "$modules"
