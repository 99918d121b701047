import { generator } from '../faults/random-crashes.ts';
import { startLab, type Lab } from '../helpers/lab/lab.ts';
import { readWhileStoring } from '../helpers/lab/lab-reads.ts';
import { startPostgres } from '../helpers/postgres/postgres.ts';
import { renewTokens, revokeKeys } from '../helpers/lab/revoked-keys.ts';

const SERVICES = 3;
/** Over 4 devices by 28 writers and 8 readers. */
const READS = { devices: 4, writers: 7, readers: 2, writes: 60 };
const KEYS = 100;

async function inLab<T>(work: (services: Lab['services']) => Promise<T>): Promise<T> {
  const postgres = await startPostgres();
  try {
    const lab = await startLab(postgres, SERVICES);
    const done = await work(lab.services);
    await lab.stop();
    return done;
  } finally {
    await postgres.stop();
  }
}

/** `reads` and `revoked`: what several services over one database promise each other. */
export const LAB_JOBS = {
  async reads(seed: number): Promise<string> {
    const { reads, records } = await inLab((services) =>
      readWhileStoring({ services, ...READS, random: generator(seed) }),
    );
    return `${reads} reads, each of one moment, while ${records} records were stored`;
  },

  async revoked(seed: number): Promise<string> {
    const random = generator(seed);
    const tries = await inLab(
      async (services) =>
        (await revokeKeys({ services, keys: KEYS, random })) +
        (await renewTokens({ services, keys: KEYS, random })),
    );
    return `${tries} tries of ${KEYS} revoked keys and ${KEYS} renewed tokens, none taken`;
  },
};
