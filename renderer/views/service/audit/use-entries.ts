import { useCallback, useState } from 'react';
import type { AuditEntry, FormerTrailFacts } from '#shared/operations/service/audit.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { useRead } from '../../../components/work/use-read.ts';

/** Which entries are looked at; absent: all. */
export interface AuditShown {
  readonly project?: string | undefined;
  readonly device?: string | undefined;
  readonly dataKey?: string | undefined;
  readonly by?: string | undefined;
  /** A former trail. */
  readonly trail?: string | undefined;
}

interface Listed {
  readonly entries: readonly AuditEntry[];
  readonly next: number | null;
  readonly former: readonly FormerTrailFacts[];
}

const read = ({ project, device, dataKey, by, trail }: AuditShown, before?: number): Promise<Listed> =>
  ask('audit.list', {
    ...(project !== undefined && { project_id: project }),
    ...(device !== undefined && { device_id: device }),
    ...(dataKey !== undefined && { key: dataKey }),
    ...(by !== undefined && { by }),
    ...(trail !== undefined && { trail }),
    ...(before !== undefined && { before }),
  });

/** Entries, the last first, and earlier ones as they are asked for. */
export function useEntries({ project, device, dataKey, by, trail }: AuditShown) {
  const first = useRead(
    useCallback(() => read({ project, device, dataKey, by, trail }), [project, device, dataKey, by, trail]),
  );
  /** What was read behind the first page, which it is of. */
  const [later, setLater] = useState<(Listed & { readonly of: Listed }) | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const page = first.value;
  const behind = later !== null && later.of === page ? later : null;
  const next = (behind ?? page)?.next ?? null;
  const more = async () => {
    if (page === null || next === null) return;
    setIsBusy(true);
    setProblem(null);
    try {
      const found = await read({ project, device, dataKey, by, trail }, next);
      setLater({ ...found, of: page, entries: [...(behind?.entries ?? []), ...found.entries] });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  return {
    entries: page && [...page.entries, ...(behind?.entries ?? [])],
    former: page?.former ?? [],
    hasMore: next !== null,
    error: problem ?? first.error,
    isBusy,
    more: () => void more(),
    retry: first.retry,
  };
}
