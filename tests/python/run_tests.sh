#!/bin/sh
# Tests the Python package in a virtual environment, as it is installed: mypy, then pytest.
# run_tests.sh CHECKOUT BUILD PROGRAM EXTRA [TEST...]. Exit status 77: there is no package index, so nothing was tested.
set -u
checkout=$1 build=$2 program=$3 extra=$4
shift 4
environment=$build/python-$extra
source=$build/python-$extra-source
python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
  { echo "skipped: Python 3.10 with venv is needed"; exit 77; }
rm -rf "$source" && cp -R "$checkout/python" "$source" || exit 1   # building it writes beside its sources
python="$environment/bin/python"
if ! [ -f "$environment/.complete" ]; then
  rm -rf "$environment"
  python3 -m venv "$environment" &&
    "$python" -m pip install --quiet --disable-pip-version-check "$source[$extra,test]" && : >"$environment/.complete"
fi
if ! [ -f "$environment/.complete" ]; then
  echo "skipped: the package index cannot be reached, or lacks what the tests need"
  exit 77
fi
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "$source" || exit 1
export NPLAB="$program" NPLAB_CACHE="$build/python-cache" PYTHONDONTWRITEBYTECODE=1
cd "$source" && "$python" -m mypy --cache-dir "$build/mypy" src/nplab || exit 1
cd "$checkout/python/tests" && exec "$python" -m pytest -q -p no:cacheprovider "$@"
