#!/usr/bin/env bash
# Builds the images localhost/countersign:VERSION and localhost/countersign-gateway:VERSION (also without the version) with buildah, as root, without a container engine and without a registry of
# images: the base is made by debootstrap, Node is the one that runs this repository. Prints the options of buildah that
# reach the image. The base is kept in ~/.cache/countersign-image; the first run takes a minute or two longer.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PATH:/usr/sbin:/sbin"

cache="${COUNTERSIGN_IMAGE_CACHE:-$HOME/.cache/countersign-image}"
release=bookworm
npm_version=11.19.1
mkdir -p "$cache"
storage=(--root "$cache/storage" --runroot "$cache/run" --storage-driver vfs)
node="$(node -p process.execPath)"
node_version="$(node --version)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

have_image() { buildah "${storage[@]}" inspect --type image "$1" >/dev/null 2>&1; }
build() { buildah "${storage[@]}" bud --isolation chroot "$@" >&2; }

base="localhost/countersign-base:$release"
if ! have_image "$base"; then
  debootstrap --variant=minbase "$release" "$work/rootfs" >&2
  rm -rf "$work"/rootfs/var/cache/apt/* "$work"/rootfs/var/lib/apt/lists/*
  printf 'FROM scratch\nCOPY rootfs /\nENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n' >"$work/Containerfile"
  build -t "$base" "$work"
  rm -rf "$work/rootfs"
fi

with_npm="localhost/countersign-build:$node_version-$npm_version"
if ! have_image "$with_npm"; then
  npm install --prefix "$work" --no-audit --no-fund --prefer-offline "npm@$npm_version" >/dev/null
  cp "$node" "$work/node"
  cat >"$work/Containerfile" <<END
FROM $base
COPY node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
END
  build -t "$with_npm" "$work"
fi

# The registry of packages and its certificate are those of this machine; what was downloaded before is used again.
registry=(--volume "$(npm config get cache):/root/.npm" --secret "id=npmrc,src=$work/npmrc")
printf 'registry=%s\n' "$(npm config get registry)" >"$work/npmrc"
certificates="$(npm config get cafile)"
if [ -f "$certificates" ]; then
  printf 'cafile=%s\n' "$certificates" >>"$work/npmrc"
  registry+=(--volume "$certificates:$certificates:ro")
fi
# Where the packages are installed, the console and the documentation are built here; otherwise the image installs them to
# build both.
if [ -d node_modules/vite ]; then node tools/build-console.ts >&2; fi
if [ -d node_modules/astro ]; then node tools/build-docs.ts >&2; fi
version="$(node -p 'require("./package.json").version')"
for options in "-t localhost/countersign" "--target gateway -t localhost/countersign-gateway"; do
  # shellcheck disable=SC2086
  build "${registry[@]}" --build-arg "BUILD_IMAGE=$with_npm" --build-arg "BASE_IMAGE=$base" -f deploy/Containerfile $options .
  buildah "${storage[@]}" tag "${options##* }" "${options##* }:$version" >&2
done
# The images that these replace.
buildah "${storage[@]}" rmi --prune >&2 || true
echo "${storage[*]}"
