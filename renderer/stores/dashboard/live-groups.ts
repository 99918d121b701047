/** As many ids fit into an address, by which a service elsewhere is asked. */
export const MOST_IDS = 300;

/** Some devices of a project, and the key whose last value is asked of each; as text. */
export type LiveGroup = string;

interface Asked {
  readonly project_id: string;
  readonly key: string;
  readonly ids: readonly string[];
}

/** Device and key. */
export interface LiveSource {
  readonly device_id: string;
  readonly key: string;
}

/** Groups by which sources are asked about: one for each key, however many show it. */
export function groupsOf(project_id: string, sources: readonly LiveSource[]): readonly LiveGroup[] {
  const byKey = new Map<string, Set<string>>();
  for (const { device_id, key } of sources) byKey.set(key, (byKey.get(key) ?? new Set()).add(device_id));
  return [...byKey]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, devices]) => {
      const ids = [...devices].toSorted();
      return Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, part) =>
        JSON.stringify({
          project_id,
          key,
          ids: ids.slice(part * MOST_IDS, (part + 1) * MOST_IDS),
        } satisfies Asked),
      );
    });
}

export const askedBy = (group: LiveGroup): Asked => JSON.parse(group) as Asked;
