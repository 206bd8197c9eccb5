# Builds as the Makefile does, on the same Debian.
FROM swift:6.3-bookworm AS build
WORKDIR /src
COPY Makefile Package.swift ./
COPY scripts scripts
RUN make setup
COPY Sources Sources
COPY Tests Tests
COPY db db
RUN make install PREFIX=/installed

FROM swift:6.3-bookworm-slim
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        curl libpq5 zlib1g libjavascriptcoregtk-4.1-0 libzstd1 libssl3 libseccomp2 libsimdjson14 libsqlite3-0 libcurl4 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home realmshift \
    && install -d -m 700 -o realmshift -g realmshift /var/lib/realmshift
# The programs, and Swift's parser for scripts and schemas in Swift.
COPY --from=build /installed /usr/local
USER realmshift
VOLUME /var/lib/realmshift
EXPOSE 8080
# docker stop ends the service in order within ten seconds or so.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["curl", "--fail", "--silent", "--show-error", "http://127.0.0.1:8080/readyz"]
ENTRYPOINT ["realmshift"]
# Plain HTTP, for the container's own network: docs/operations.md says how to serve others.
CMD ["serve", "--listen", "0.0.0.0:8080", "--insecure", "--data", "/var/lib/realmshift"]
