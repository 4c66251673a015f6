#!/bin/sh
# make-system.sh <folder> [espeak-ng]: lays out the few parts of Debian that the image needs, from a Debian of which this is a part. The program needs the
# C and C++ libraries; /bin/sh, unshare and setpriv confine the process that decodes pictures; espeak-ng, where it is asked for, speaks in calls. There is no
# package manager in the image: to update, build it again.
set -eu
to=$1
speech=${2:-}
apt-get update
apt-get install -y --no-install-recommends ca-certificates libatomic1 libcap-ng0 util-linux $speech

mkdir -p "$to/usr/bin" "$to/usr/sbin" "$to/usr/lib" "$to/usr/lib64" "$to/etc/ssl/certs" "$to/var/lib/dpkg/status.d" "$to/var/tmp" "$to/tmp"
mkdir -p "$to/proc" "$to/sys" "$to/dev" "$to/run"
chmod 1777 "$to/tmp" "$to/var/tmp"
for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$to/$folder"; done

packages="base-files dash gcc-12-base libatomic1 libc6 libcap-ng0 libgcc-s1 libstdc++6 netbase util-linux"
if [ -n "$speech" ]; then
  # It links to what plays sounds, which it never does here, and does not start without that.
  libraries=$(ldd "/usr/bin/$speech" | sed -n 's,.* => .*/\([^ /]*\) .*,\1,p')
  packages="$packages $speech $speech-data $(for library in $libraries; do dpkg-query --search "*/$library"; done | sed 's/:.*//' | sort -u)"
fi
for package in $packages; do
  dpkg-query --status "$package" >/dev/null 2>&1 || continue
  # Scanners find the packages here.
  dpkg-query --status "$package" >"$to/var/lib/dpkg/status.d/$package"
  dpkg-query --listfiles "$package"
done |
  # Character sets for iconv, which nothing uses, and of util-linux only two programs.
  grep -v -e '/gconv/' -e '/locale/' -e '/bash-completion/' |
  while read -r file; do
    case $file in
      /bin/* | /sbin/* | /usr/bin/* | /usr/sbin/*) case ${file##*/} in sh | dash | unshare | setpriv | espeak-ng) ;; *) continue ;; esac ;;
      /usr/share/* | /etc/* | /var/*) case $file in */copyright | */common-licenses/* | /etc/debian_version | /etc/os-release | /etc/services | /etc/protocols) ;; *) continue ;; esac ;;
    esac
    if [ -L "$file" ] || [ -f "$file" ]; then echo "$file"; fi
  done |
  sed "s,^/,," |
  tar --create --no-recursion --directory / --files-from - |
  tar --extract --keep-directory-symlink --directory "$to"

[ -e "$to/usr/bin/sh" ] || ln -s dash "$to/usr/bin/sh"
cp /etc/ssl/certs/ca-certificates.crt "$to/etc/ssl/certs/"
printf 'root:x:0:0:root:/root:/usr/sbin/nologin\ntillpost:x:10001:10001:Tillpost:/var/lib/tillpost:/usr/sbin/nologin\n' >"$to/etc/passwd"
printf 'root:x:0:\ntillpost:x:10001:\n' >"$to/etc/group"
printf 'hosts: files dns\n' >"$to/etc/nsswitch.conf"

mkdir -p /data/tillpost
chmod 700 /data/tillpost
