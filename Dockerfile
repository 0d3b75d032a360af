# One image for every process; which one it is says the command, and under which user it runs docker-compose.yml.
# The signer component is built inside, with the fast engine: the image fails to build where that cannot be had.

FROM node:26.10.0-bookworm AS build
# What building takes beyond Node: the C sources come through apt, packed with xz; the packaged Node links libatomic.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libatomic1 xz-utils \
  && sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources \
  && apt-get update
WORKDIR /keystead
COPY package.json package-lock.json .npmrc ./
COPY scripts scripts
RUN npm ci
COPY . .
RUN npm run build:engine && npm run build

FROM node:26.10.0-bookworm AS packages
WORKDIR /keystead
COPY package.json package-lock.json .npmrc ./
COPY scripts scripts
RUN npm ci --omit=dev

FROM node:26.10.0-bookworm-slim
# bubblewrap is the sandbox of signer hosts.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap libatomic1 tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /keystead
COPY --from=packages /keystead/node_modules node_modules
COPY --from=build /keystead/signer-core/dist signer-core/dist
COPY package.json LICENSE NOTICE ./
COPY signer-core/launcher signer-core/launcher
COPY signer-core/protocol signer-core/protocol
COPY gateway gateway
COPY plugins plugins
COPY policies policies
COPY cli cli
# The signer's user owns its keys, which the gateway's user cannot read; the group is for the socket between them.
RUN groupadd --gid 10000 keystead \
  && useradd --uid 10001 --gid 10000 --no-create-home --shell /usr/sbin/nologin signer \
  && useradd --uid 10002 --gid 10000 --no-create-home --shell /usr/sbin/nologin gateway \
  && install --directory --owner=10001 --group=10000 --mode=0750 /run/keystead \
  && install --directory --owner=10001 --group=10000 --mode=0700 /run/keystead/signer
ENV NODE_ENV=production KEYSTEAD_DATA_DIR=/run/keystead
USER 10002:10000
# npm run would stand between a signal and its process.
ENTRYPOINT ["tini", "--", "/bin/sh", "-c", "ulimit -c 0 && exec node_modules/.bin/node --disable-sigusr1 \"$@\"", "keystead"]
CMD ["gateway/main.ts"]
