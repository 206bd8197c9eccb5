#include "CEmbeddedFiles.h"

// The parts of the API's description: an array of bytes each, and a row of the table.

static const unsigned char shared[] = {
#embed "../MigrationAPI/OpenAPI/Parts/shared.json"
};
static const unsigned char apps[] = {
#embed "../MigrationAPI/OpenAPI/Parts/apps.json"
};
static const unsigned char differences[] = {
#embed "../MigrationAPI/OpenAPI/Parts/differences.json"
};
static const unsigned char figures[] = {
#embed "../MigrationAPI/OpenAPI/Parts/figures.json"
};
static const unsigned char fleets[] = {
#embed "../MigrationAPI/OpenAPI/Parts/fleets.json"
};
static const unsigned char jobs[] = {
#embed "../MigrationAPI/OpenAPI/Parts/jobs.json"
};
static const unsigned char keys[] = {
#embed "../MigrationAPI/OpenAPI/Parts/keys.json"
};
static const unsigned char migrations[] = {
#embed "../MigrationAPI/OpenAPI/Parts/migrations.json"
};
static const unsigned char objects[] = {
#embed "../MigrationAPI/OpenAPI/Parts/objects.json"
};
static const unsigned char partners[] = {
#embed "../MigrationAPI/OpenAPI/Parts/partners.json"
};
static const unsigned char realms[] = {
#embed "../MigrationAPI/OpenAPI/Parts/realms.json"
};
static const unsigned char recoveries[] = {
#embed "../MigrationAPI/OpenAPI/Parts/recoveries.json"
};
static const unsigned char rehearsals[] = {
#embed "../MigrationAPI/OpenAPI/Parts/rehearsals.json"
};
static const unsigned char schemas[] = {
#embed "../MigrationAPI/OpenAPI/Parts/schemas.json"
};
static const unsigned char service[] = {
#embed "../MigrationAPI/OpenAPI/Parts/service.json"
};
static const unsigned char snapshots[] = {
#embed "../MigrationAPI/OpenAPI/Parts/snapshots.json"
};
static const unsigned char sync[] = {
#embed "../MigrationAPI/OpenAPI/Parts/sync.json"
};
static const unsigned char tokens[] = {
#embed "../MigrationAPI/OpenAPI/Parts/tokens.json"
};
static const unsigned char uploads[] = {
#embed "../MigrationAPI/OpenAPI/Parts/uploads.json"
};
static const unsigned char webhooks[] = {
#embed "../MigrationAPI/OpenAPI/Parts/webhooks.json"
};

#define ROW(part) {#part, part, sizeof part}

// The one that the others add to comes first.
static const struct NamedFile parts[] = {
    ROW(shared),
    ROW(apps),
    ROW(differences),
    ROW(figures),
    ROW(fleets),
    ROW(jobs),
    ROW(keys),
    ROW(migrations),
    ROW(objects),
    ROW(partners),
    ROW(realms),
    ROW(recoveries),
    ROW(rehearsals),
    ROW(schemas),
    ROW(service),
    ROW(snapshots),
    ROW(sync),
    ROW(tokens),
    ROW(uploads),
    ROW(webhooks),
};

const struct NamedFile *openapi_part(size_t index) {
    return index < sizeof parts / sizeof parts[0] ? &parts[index] : NULL;
}
