import type { AuditEntry, AuditVerified } from '#shared/operations/service/audit.ts';
import type { Asking } from '../world.ts';

/* What a service says of its audit trail. */

interface Listed {
  readonly entries: readonly AuditEntry[];
  readonly next: number | null;
}

/** Entries, the last first. `query`: as docs/local-api.md says it. */
export async function entriesOf(
  service: Asking,
  query: Record<string, string | number> = {},
): Promise<Listed> {
  const fields = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const { envelope, text } = await service.request('GET', `/_local/v1/audit?${fields.join('&')}`);
  if (!envelope.success) throw new Error(text);
  return envelope.data as unknown as Listed;
}

/** The number of the last entry. */
export async function lastOf(service: Asking): Promise<number> {
  return (await entriesOf(service, { limit: 1 })).entries[0]?.n ?? 0;
}

/** Entries behind one, the first first. */
export async function entriesSince(service: Asking, n: number): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null && before > n + 1;) {
    const { entries, next }: Listed = await entriesOf(service, { limit: 200, before });
    found.push(...entries.filter((entry) => entry.n > n));
    before = next;
  }
  return found.toReversed();
}

export async function verifiedBy(service: Asking): Promise<AuditVerified> {
  const { envelope, text } = await service.request('GET', '/_local/v1/audit/verify');
  if (!envelope.success) throw new Error(text);
  return envelope.data as unknown as AuditVerified;
}

/** All lines, as they are kept. */
export async function trailOf(service: Asking): Promise<string> {
  const { status, text } = await service.request('GET', '/_local/v1/audit/export');
  if (status !== 200) throw new Error(text);
  return text;
}
