import { useEffect, useState } from 'react';
import type { Job } from '#shared/domain/events.ts';
import { bridge } from '../../bridge/bridge.ts';
import { onConnectionMade } from '../../bridge/connection.ts';

export type JobOf = Pick<Job, 'kind' | 'project_id' | 'device_id'>;

/** The long work of this kind on this device (null: on the whole project), while it runs. */
export function useJob({ kind, project_id, device_id }: JobOf): Job | null {
  const [job, setJob] = useState<Job | null>(null);
  useEffect(() => {
    const stops = [
      bridge.subscribe(
        'jobs.progress',
        (heard) => {
          if (heard.kind !== kind || heard.device_id !== device_id) return;
          setJob(heard.state === 'running' ? heard : null);
        },
        { project_id, device_id: device_id ?? undefined },
      ),
      // A job that still runs is heard of before long; the end of one over the connection before is not.
      onConnectionMade(() => setJob(null)),
    ];
    return () => stops.forEach((stop) => stop());
  }, [kind, project_id, device_id]);
  return job;
}
