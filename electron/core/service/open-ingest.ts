import { dirname, join } from 'node:path';
import type { Config } from '../base/config.ts';
import { createDecoders, type Decoders } from '../functions/decoders.ts';
import { readEngine } from '../functions/sandbox/engine-file.ts';
import { forkIsolates } from '../functions/sandbox/fork-isolate.ts';
import { createSandbox } from '../functions/sandbox/sandbox.ts';
import type { Arrivals } from '../ingest/arrivals.ts';
import { createIngest, type Ingest } from '../ingest/ingest.ts';
import type { Backend } from '../backend/backend.ts';
import type { ServiceParts } from './service-parts.ts';

interface Parts
  extends
    Pick<Config, 'isolateScript'>,
    Pick<ServiceParts, 'startIsolate'>,
    Pick<Backend, 'metadata' | 'records' | 'events'> {
  readonly arrivals: Arrivals;
}

/**
 * Opens the path by which devices store, and what decodes for them, over a sandbox whose processes start when there is something to
 * run: by Node, unless something else starts them.
 */
export function openIngest(
  { isolateScript, startIsolate, metadata, records, events, arrivals }: Parts,
  stack: AsyncDisposableStack,
): { readonly decoders: Decoders; readonly ingest: Ingest } {
  const byNode = () => forkIsolates({ script: isolateScript, folders: [codeOf(isolateScript)] });
  const sandbox = createSandbox({ startIsolate: startIsolate ?? byNode(), readWasm: readEngine });
  stack.defer(() => sandbox.close());
  const decoders = createDecoders({ metadata, sandbox });
  const ingest = createIngest({ decoders, records, events, arrivals });
  stack.defer(() => ingest.close());
  return { decoders, ingest };
}

/** Folder of all that a script imports: its own where it was built, else that of the source tree. */
const codeOf = (script: string) =>
  script.endsWith('.ts') ? join(dirname(script), '../../../..') : dirname(script);
