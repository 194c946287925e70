#!/bin/sh
# Runs the Dockerfile's steps where no daemon is, on a root of Debian: the copies, the user, the program, the health check.
#   debootstrap --variant=minbase bookworm ROOT
#   sh test/build/image-steps.sh ROOT NODE
# NODE is the program of the Dockerfile's Node. Before that: npm run package. As root, and the root is changed.
set -eu
root=$1
node=$2
package=$(cd "$(dirname "$0")/../../artefacts/feed-for-excel" && pwd)
dockerfile=$package/deploy/Dockerfile
read_step() { sed -n "s/^$1 //p" "$dockerfile"; }

workdir=$(read_step WORKDIR)
cp "$node" "$root/usr/local/bin/node"
chroot "$root" id node >/dev/null 2>&1 || chroot "$root" useradd --uid 1000 --create-home node
rm -rf "$root$workdir" && mkdir -p "$root$workdir"
read_step COPY | while read -r words; do
  target=${words##* }
  for source in ${words% *}; do cp -r "$package/$source" "$root$workdir/$target"; done
done
mkdir -p "$root/etc/feed-for-excel"
echo '{ "HOST": "127.0.0.1", "PORT": "3000" }' >"$root/etc/feed-for-excel/settings.json"

# The words of ENTRYPOINT and CMD, as the image runs them, in a network of its own.
words=$( (read_step ENTRYPOINT; read_step CMD) | tr -d '[],"' | tr '\n' ' ')
health=$(sed -n 's/^ *CMD \["node", "-e", "\(.*\)"\]$/\1/p' "$dockerfile")
unshare --net env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/home/node sh -euc '
  ip link set lo up
  chroot --userspec=node:node "$1" sh -c "cd $2 && exec $3" &
  program=$!
  tries=0
  until chroot --userspec=node:node "$1" node -e "$4"; do
    tries=$((tries + 1))
    [ "$tries" -lt 50 ]
    sleep 0.1
  done
  echo "healthy after $tries more tries"
  chroot "$1" node -e "fetch(\"http://127.0.0.1:3000/playground.html\").then(({ status }) => console.log(\"page\", status))"
  kill "$program"
  wait "$program" && echo "ended with 0"
' sh "$root" "$workdir" "$words" "$health"
du -sh "$root$workdir"
