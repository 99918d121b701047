import { afterAll, beforeAll } from 'vitest';
import { startLab, type Lab } from '../lab/lab.ts';
import type { Postgres } from './postgres.ts';
import { sharedPostgres } from './shared-postgres.ts';

/* What a describe has while its tests run. What is read of it is there from its first hook on. */

/** A database, and the PostgreSQL it is in. */
export function ownDatabase(): { readonly server: Postgres; readonly url: string } {
  const own = {} as { server: Postgres; url: string };
  beforeAll(async () => {
    own.server = await sharedPostgres();
    own.url = await own.server.database();
  });
  return own;
}

/** So many services over one database. */
export function ownLab(count: number): Pick<Lab, 'services'> {
  const own = {} as { services: Lab['services'] };
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab(await sharedPostgres(), count);
    own.services = lab.services;
  });
  afterAll(() => lab.stop());
  return own;
}
