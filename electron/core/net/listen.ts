import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from '../disk/errors.ts';
import { StartError } from '../errors.ts';

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

/** What a failed `listen` means to the person who started the service: a StartError, or the failure itself. `portFlag` chooses the port. */
export function listenError(cause: unknown, host: string, port: number, portFlag: string): unknown {
  const another = `choose another with ${portFlag} N (0 takes any free one)`;
  switch (errorCode(cause)) {
    case 'EADDRINUSE':
      return new StartError(
        'port-busy',
        `Port ${port} on ${host} is already in use. Stop what uses it, or ${another}.`,
        { cause },
      );
    case 'EACCES':
      return new StartError('bad-flag', `Port ${port} is not for ordinary users: ${another}.`, { cause });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError('bad-flag', `--host ${host} is not an address of this machine.`, { cause });
    default:
      return cause;
  }
}
