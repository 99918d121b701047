import type { Port, WindowPort } from './bridge.ts';
import type { Distant, PostedMessage, ServerMessage } from './wire.ts';

/** The channel to one of the services that a window reaches: by its id to one elsewhere, or (null) to that it is on. */
export function portTo(port: WindowPort, at: string | null): Port {
  return {
    post: (message) => port.post(at === null ? message : { ...message, at }),
    listen: (listener) =>
      port.listen((message) => {
        if (isOfService(message) && (message.at ?? null) === at) listener(message);
      }),
  };
}

const isOfService = (message: PostedMessage): message is ServerMessage & { readonly at?: string } =>
  message.type !== 'distant' && message.type !== 'file' && message.type !== 'file-over';

/** Reaches for a service elsewhere, and adds a listener for the window's connection to it; returns its removal. */
export function listenDistant(
  port: WindowPort,
  at: string,
  listener: (distant: Distant) => void,
): () => void {
  const stop = port.listen((message) => {
    if (message.type === 'distant' && message.at === at) listener(message);
  });
  port.post({ type: 'reach', at });
  return stop;
}
