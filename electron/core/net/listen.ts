import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from '../disk/errors.ts';
import { StartError } from '../base/errors.ts';

/**
 * Throws StartError where a host is not this machine's. For before anything is made that is for this host alone: a
 * misspelt one must change nothing.
 */
export async function checkHost(host: string): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(0, host), 'listening');
  } catch (error) {
    throw listenError(error, host, 0, '--port');
  } finally {
    server.close();
  }
}

/** Port that cannot be had: `message` is for a start, `running` for moving a door of a running service. */
export class PortError extends StartError {
  readonly running: string;

  constructor(code: 'port-busy' | 'bad-flag', words: string, portFlag: string, options: ErrorOptions) {
    super(code, `${words} with ${portFlag} N (0 takes any free one).`, options);
    this.running = `${words}.`;
  }
}

/** Returns the StartError for a failed `listen`, or the failure itself. `portFlag` chooses the port. */
export function listenError(cause: unknown, host: string, port: number, portFlag: string): unknown {
  switch (errorCode(cause)) {
    case 'EADDRINUSE': {
      const words = `Port ${port} on ${host} is already in use. Stop what uses it, or choose another`;
      return new PortError('port-busy', words, portFlag, { cause });
    }
    case 'EACCES': {
      const words = `Port ${port} is not for ordinary users: choose another`;
      return new PortError('bad-flag', words, portFlag, { cause });
    }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError('bad-flag', `--host ${host} is not an address of this machine.`, { cause });
    default:
      return cause;
  }
}
