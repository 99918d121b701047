import type { Config } from '../base/config.ts';
import type { Logger } from '../base/logger.ts';
import { createDecoders, type Decoders } from '../functions/decoders.ts';
import type { Arrivals } from '../ingest/arrivals.ts';
import { createIngest, type Ingest } from '../ingest/ingest.ts';
import type { Backend } from '../backend/backend.ts';
import { openSandbox } from './open-sandbox.ts';
import type { ServiceParts } from './service-parts.ts';

interface Parts
  extends
    Pick<Config, 'isolateScript'>,
    Pick<ServiceParts, 'startIsolate'>,
    Pick<Backend, 'metadata' | 'records' | 'events'> {
  readonly arrivals: Arrivals;
  readonly log: Logger;
}

/** Opens the path by which devices store, and what decodes for them. */
export function openIngest(
  { isolateScript, startIsolate, metadata, records, events, arrivals, log }: Parts,
  stack: AsyncDisposableStack,
): { readonly decoders: Decoders; readonly ingest: Ingest } {
  const sandbox = openSandbox({ isolateScript }, { startIsolate }, log);
  stack.defer(() => sandbox.close());
  const decoders = createDecoders({ metadata, sandbox });
  const ingest = createIngest({ decoders, records, events, arrivals });
  stack.defer(() => ingest.close());
  return { decoders, ingest };
}
