import { z } from 'zod';
import { operationIds, inV2, type OperationId } from '#shared/operations/index.ts';
import { PERMISSIONS, type Permission } from '#shared/schema/schemas.ts';
import { RemoteError } from './failure.ts';
import type { Target } from './target.ts';

/** Rights of an API key at a service. */
export interface DistantAccess {
  /** `fieldbench`: it has windows; `document`: it answers /v2 alone. */
  readonly kind: 'fieldbench' | 'document';
  /** Its version; null where it does not say. */
  readonly version: string | null;
  /** Null where the service does not say. */
  readonly permissions: readonly Permission[] | null;
  readonly project_ids: readonly string[] | null;
  /** Operations allowed there, as far as it says: of a document's service all ten. */
  readonly operations: ReadonlySet<OperationId>;
}

/** The API key is not, or no more, one of the service; the message is its own. */
export class KeptOut extends RemoteError {}

/** A service may be newer, and name operations that are not known here. */
const access = z.object({
  version: z.string(),
  permissions: z.array(z.string()),
  project_ids: z.array(z.string()).nullable(),
  operations: z.array(z.string()),
});

const DOCUMENT = new Set(operationIds.filter(inV2));

/** Reads the rights of the key. Rejects with KeptOut where it is no key there, with RemoteError without an answer. */
export async function readAccess(target: Target, signal?: AbortSignal): Promise<DistantAccess> {
  const { envelope } = await target.ask('GET', '/_local/v1/access', { signal });
  if (envelope.status === 401) throw new KeptOut(envelope.message);
  const read = envelope.success ? access.safeParse(envelope.data) : null;
  if (!read?.success) return readDocument(target, signal);
  const { version, project_ids, permissions, operations } = read.data;
  const named = new Set(operations);
  return {
    kind: 'fieldbench',
    version,
    permissions: PERMISSIONS.filter((one) => permissions.includes(one)),
    project_ids,
    operations: new Set(operationIds.filter((id) => named.has(id))),
  };
}

/** A service of the document says by its answers alone what a key may do. */
async function readDocument(target: Target, signal?: AbortSignal): Promise<DistantAccess> {
  const { envelope } = await target.ask('GET', '/v2/projects', { signal });
  if (envelope.status === 401) throw new KeptOut(envelope.message);
  if (!envelope.success && envelope.status !== 403)
    throw new RemoteError(
      `${target.url} answers GET /v2/projects with ${envelope.status}: ${envelope.message || 'no message'}`,
    );
  return { kind: 'document', version: null, permissions: null, project_ids: null, operations: DOCUMENT };
}
