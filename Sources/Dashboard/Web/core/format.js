/** Numbers, times and sizes as people read them. */

const numbers = new Intl.NumberFormat("en");

/** A count, as `12,345`. */
export function count(number) {
    return numbers.format(number);
}

/** A count with its noun, as `1 realm` or `2 realms`. */
export function counted(number, noun, plural = noun + "s") {
    return `${count(number)} ${number === 1 ? noun : plural}`;
}

/** Bytes, as `1.5 MiB`. */
export function bytes(number) {
    const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (number >= 1024 && unit < units.length - 1) {
        number /= 1024;
        unit += 1;
    }
    return `${unit === 0 ? number : number.toFixed(number < 10 ? 1 : 0)} ${units[unit]}`;
}

/** A length of time in seconds, as `1 min 5 s`. */
export function duration(seconds) {
    if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
    if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long a job ran or has run; null where it has not begun. */
export function ran(job) {
    if (!job.startedAt) return null;
    const end = job.finishedAt ? new Date(job.finishedAt) : new Date();
    return duration(Math.max(0, (end - new Date(job.startedAt)) / 1000));
}

/** A short form of an id. */
export function short(id) {
    return String(id).slice(-8);
}

const kinds = {
    migration: "Migration", rehearsal: "Rehearsal", fleet: "Part of a fleet", backfill: "Backfill",
    partnerBackfill: "Backfill of a partner",
};

/** What a job does, in a word or two. */
export function jobKind(job) {
    if (job.kind === "migration" && job.dryRun) return "Rehearsal";
    return kinds[job.kind] ?? job.kind;
}
