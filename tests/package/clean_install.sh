#!/bin/sh
# Installs the Debian packages in a new Debian system, uses the command and the libraries there as a user without rights,
# and removes them. clean_install.sh FOLDER BUILD CONSUMER: the source of a program that links the libraries.
# Exit status 77: no such system can be made here, so nothing was tested.
set -u
folder=$1 build=$2 consumer=$3
command -v mmdebstrap >/dev/null 2>&1 || { echo "skipped: mmdebstrap is not installed"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "skipped: a new system needs root"; exit 77; }
root=$folder/root
rm -rf "$folder" && mkdir -p "$folder" || exit 1
trap 'umount "$root/proc" 2>/dev/null; rm -rf --one-file-system "$folder"' EXIT
cd "$folder" || exit 1
cpack --config "$build/CPackConfig.cmake" -D CPACK_COMPONENTS_ALL="command;library" >cpack.log 2>&1 || { cat cpack.log; exit 1; }
package=$(ls nplab_*.deb) && library=$(ls nplab-dev_*.deb) || exit 1
mmdebstrap --quiet --variant=apt --skip=cleanup/apt bookworm "$root" >mmdebstrap.log 2>&1 ||
  { echo "skipped: no new system can be made:"; tail -n 3 mmdebstrap.log; exit 77; }
cp "$package" "$root/tmp/" && cp /etc/resolv.conf "$root/etc/" || exit 1
mount -t proc proc "$root/proc" || { echo "skipped: the new system's /proc cannot be mounted"; exit 77; }
in_root() { chroot "$root" "$@"; }
fail() { echo "$1"; exit 1; }
# Paths outside of what any package manager writes.
paths() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./var/lib/apt -o -path ./var/cache/apt \) -prune -o -print | sort); }
in_root apt-get install -y --no-install-recommends "/tmp/$package" >install.log 2>&1 || { tail -n 20 install.log; exit 1; }
in_root useradd --create-home --shell /bin/sh student || exit 1
in_root su - student -c 'mkdir empty && cd empty && nplab compare ls bv1 bv2 --packets 5000' >compare.txt 2>compare.err ||
  { cat compare.txt compare.err; fail "the command failed for a user without rights"; }
grep -q "bv2 is best" compare.txt || { cat compare.txt; fail "the comparison has no verdict"; }
[ -z "$(ls -A "$root/home/student/empty")" ] || fail "the command wrote into the folder that it was called in"
in_root su - student -c 'nplab --version && nplab lab start 1 lab && nplab run bv1 --packets 200 --quiet --html r.html' >more.txt 2>&1 ||
  { cat more.txt; fail "another command failed for a user without rights"; }
for file in usr/share/man/man1/nplab.1.gz usr/share/doc/nplab/copyright usr/share/doc/nplab/changelog.gz \
  usr/share/bash-completion/completions/nplab usr/share/zsh/vendor-completions/_nplab \
  usr/share/fish/vendor_completions.d/nplab.fish; do
  [ -s "$root/$file" ] || fail "$file is not in the package"
done
[ -z "$(find "$root/usr/share/nplab" -path '*solutions*')" ] || fail "the package has the labs' solutions"
in_root dpkg --verify nplab || fail "installed files differ from the package"
cp "$library" "$root/tmp/" && cp -r "$consumer" "$root/home/student/consumer" || exit 1
in_root apt-get install -y --no-install-recommends "/tmp/$library" g++ cmake make >install-dev.log 2>&1 ||
  { tail -n 20 install-dev.log; exit 1; }
in_root su - student -c 'cmake -S consumer -B built && cmake --build built && built/consumer' >consumer.txt 2>&1 ||
  { tail -n 30 consumer.txt; fail "a program cannot be built with the installed libraries"; }
tail -n 1 consumer.txt | grep -Eq '^bv1 receives [1-9][0-9]{2}' || { tail -n 5 consumer.txt; fail "the program with the libraries prints no rate"; }
in_root dpkg --verify nplab-dev || fail "installed libraries differ from the package"
in_root apt-get purge -y nplab-dev nplab >purge.log 2>&1 || { tail -n 20 purge.log; fail "the package cannot be removed"; }
left=$(paths | grep -i nplab | grep -v -e '^./tmp/nplab.*\.deb$' -e '^./home/student/' -e '^./var/log/' -e '^./var/lib/dpkg/')
[ -z "$left" ] || fail "left after the package was removed: $left"
echo "installed, used and removed: $package, $library"
