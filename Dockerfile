# The image of Sallyport: docs/run/production.md says how to run it. `npm run image:chroot` carries these steps out without a container engine.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs && npm pack --ignore-scripts --pack-destination /tmp
WORKDIR /opt/sallyport
RUN tar -xzf /tmp/sallyport-*.tgz --strip-components=1

FROM ${NODE_IMAGE}
# nothing installs packages in a running container
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
COPY --from=build /opt/sallyport /opt/sallyport
COPY operation/container/sallyport.yaml /etc/sallyport/sallyport.yaml
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin sallyport \
  && install -d -o sallyport -g sallyport -m 0700 /var/lib/sallyport \
  && ln -s /opt/sallyport/scripts/sallyport.mjs /usr/local/bin/sallyport
ENV NODE_ENV=production
# by number: Kubernetes' runAsNonRoot asks for one
USER 10001:10001
# commands find ./sallyport.yaml here, without --config
WORKDIR /etc/sallyport
VOLUME /var/lib/sallyport
EXPOSE 41001 41002 41003
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/opt/sallyport/operation/is-healthy.mjs"]
ENTRYPOINT ["sallyport"]
CMD ["serve"]
