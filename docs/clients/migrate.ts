type Job = { id: string; state: string; sourceSnapshot: string; resultSnapshot: string | null; error: { detail: string } | null };

/** Gives what the app's declared migration makes of the bytes of a realm file; throws where that fails. */
export async function migrate(
  server: string, token: string, app: string, realm: string, file: Blob, version: number,
): Promise<Blob> {
  async function ask(method: string, path: string, fields: Record<string, string>, body?: Blob | string): Promise<Response> {
    const response = await fetch(server + path, { method, headers: { Authorization: `Bearer ${token}`, ...fields }, body });
    if (!response.ok) {
      const problem = (await response.json().catch(() => ({}))) as { detail?: string };
      throw new Error(problem.detail ?? `The service answered ${response.status}.`);
    }
    return response;
  }
  const path = `/v1/apps/${app}/realms/${encodeURIComponent(realm)}`;
  const uploaded = await ask("POST", `${path}/snapshots`, { "Content-Type": "application/x-realm" }, file);
  const own = ((await uploaded.json()) as { id: string }).id;
  const order = JSON.stringify({ targetVersion: version });
  const fields = { "Content-Type": "application/json", Prefer: "wait=60" };
  const started = await ask("POST", `${path}/migrations`, fields, order);
  let job = (await started.json()) as Job;
  while (job.state === "queued" || job.state === "running") {
    job = (await (await ask("GET", `/v1/jobs/${job.id}`, { Prefer: "wait=60" })).json()) as Job;
  }
  if (job.state !== "succeeded") throw new Error(job.error?.detail ?? "The migration was cancelled.");
  if (job.sourceSnapshot !== own) throw new Error("Another device has uploaded the realm meanwhile.");
  const content = await ask("GET", `/v1/snapshots/${job.resultSnapshot}/content`, { Accept: "application/x-realm" });
  return content.blob();
}
