import { mqttRows } from './mqtt-lines.ts';
import { keepReadyFile, removeStaleReadyFile } from './ready-file.ts';
import { outliveTerminal, stopSignals } from './signals.ts';
import type { Config } from '../../base/config.ts';
import { parseAddress } from '../../store/postgres/connection/address.ts';
import { isLoopback } from '../../tls/names.ts';
import { startService, type Service } from '../../service/service.ts';
import { stoppedInStart } from '../../base/errors.ts';
import { within } from '../../turns/within.ts';

/** The promise of a stop: it is over within this time (docs/running.md, "Command line"). */
const STOP_MS = 5000;

/**
 * Runs the service without a window until it is asked to stop, by a signal or the control socket, then resolves with the exit code: 0, or 1 where it could
 * not finish in time. Throws StartError, VaultError or StoreError where it cannot start.
 */
export async function runHeadless(options: {
  readonly config: Config;
  /** Absolute; null writes none. */
  readonly readyFile: string | null;
  /** How long it answers on before it stops, with balancers told to go elsewhere; 0: not at all. */
  readonly drainMs: number;
  /** What it says once it is ready, in place of all addresses. */
  readonly greeting: string | null;
  /** Lines for the person who started it. */
  readonly print: (line: string) => void;
}): Promise<number> {
  const { config, readyFile, drainMs, print } = options;
  outliveTerminal();
  const signals = stopSignals();
  if (readyFile !== null) removeStaleReadyFile(readyFile);
  const asked = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const isToStop = Promise.race([signals.asked, asked.promise]).then(() => stopping.abort(stoppedInStart()));
  const service = await startService(config, {
    host: { stop: asked.resolve, drainMs },
    signal: stopping.signal,
  }).catch((error: unknown) => {
    if (error !== stopping.signal.reason) throw error;
    return null;
  });
  if (service === null) {
    print('Stopped before it was ready.');
    return 0;
  }
  try {
    if (readyFile !== null)
      await keepReadyFile(readyFile, service, (error) => print((error as Error).message));
  } catch (error) {
    await service.close();
    throw error;
  }
  for (const line of await greeting(service, config, options.greeting)) print(line);
  await isToStop;
  if (drainMs > 0) {
    service.drain();
    print(`Draining for ${drainMs / 1000} s: /readyz says that it is stopping.`);
    await signals.patience(drainMs);
  }
  print('Stopping.');
  return (await closesInTime(service)) ? 0 : 1;
}

const IN_MEMORY = 'in memory: all is gone when the service ends; Ctrl+C or SIGTERM ends it';

async function greeting(service: Service, config: Config, asked: string | null): Promise<string[]> {
  const console = await service.console_url();
  const words =
    asked === null
      ? addresses(service, config, console)
      : [asked.replaceAll('{console}', () => console ?? service.base_url)];
  const { host, mqtts_url } = service;
  if (isLoopback(host)) return words;
  return [
    ...words,
    `--host ${host}: every machine that reaches this one can reach the service${mqtts_url === null ? '' : ', over MQTT, too'}. Who has no key or token is refused.`,
  ];
}

function addresses(
  service: Service,
  { directory, memoryBytes, store }: Config,
  console: string | null,
): string[] {
  return [
    'Fieldbench is ready.',
    `  /v2 service  ${service.base_url}${service.ca_file === null ? '' : `  (its certificate authority: ${service.ca_file})`}`,
    ...(service.http_url !== null && service.http_url !== service.base_url
      ? [`  plain HTTP   ${service.http_url}`]
      : []),
    ...mqttRows(service).map(([name, value]) => `  ${name.padEnd(12)} ${value}`),
    ...(console === null ? [] : [`  console      ${console}`]),
    `  data         ${memoryBytes === null ? directory : IN_MEMORY}`,
    ...(store === null ? [] : [`  database     ${parseAddress(store.url).name}`]),
    ...service.secrets.map((line, i) => (i === 0 ? `  secrets      ${line}` : line)),
  ];
}

const closesInTime = (service: Service): Promise<boolean> =>
  within(
    service.close().then(() => true),
    STOP_MS - 200,
    () => false,
  );
