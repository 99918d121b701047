import { afterAll, beforeAll } from 'vitest';
import { startLab, type Lab } from '../lab/lab.ts';
import { startPostgres, type Postgres } from './postgres.ts';

/* What a describe has while its tests run. What is read of it is there from its first hook on. */

/** A PostgreSQL, and a database in it. */
export function ownDatabase(): { readonly server: Postgres; readonly url: string } {
  const own = {} as { server: Postgres; url: string };
  beforeAll(async () => {
    own.server = await startPostgres();
    own.url = await own.server.database();
  });
  afterAll(() => own.server.stop());
  return own;
}

/** So many services over one database. */
export function ownLab(count: number): Pick<Lab, 'services'> {
  const own = {} as { services: Lab['services'] };
  let postgres: Postgres;
  let lab: Lab;
  beforeAll(async () => {
    postgres = await startPostgres();
    lab = await startLab(postgres, count);
    own.services = lab.services;
  });
  afterAll(async () => {
    await lab.stop();
    await postgres.stop();
  });
  return own;
}
