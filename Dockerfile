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
        libpq5 zlib1g libjavascriptcoregtk-4.1-0 libzstd1 libssl3 libseccomp2 libsimdjson14 libsqlite3-0 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home realmshift
# The programs, and Swift's parser for scripts and schemas in Swift.
COPY --from=build /installed /usr/local
USER realmshift
EXPOSE 8080
ENTRYPOINT ["realmshift"]
CMD ["serve", "--listen", "0.0.0.0:8080", "--data", "/home/realmshift/data"]
