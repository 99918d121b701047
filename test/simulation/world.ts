import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createLogger } from '#core/base/logger.ts';
import { MEMORY_DIRECTORY } from '#core/disk/memory/memory-disk.ts';
import { openBackend } from '#core/service/open-backend.ts';
import { startService, type Service } from '#core/service/service.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import type { Random } from '../fuzz/files/random.ts';
import { testConfig } from '../helpers/service/config.ts';
import { SimulatedDisk, type Health, type Mounted } from './disk.ts';
import { publish, type Publication, type Published } from './mqtt-wire.ts';
import { dataOf, Wires, type Answer, type Asked, type Asking, type Cut, type Data } from './wire.ts';

/** A process of the service. */
interface Life {
  readonly mounted: Mounted;
  readonly service: Service;
  readonly http: HttpServer;
  readonly mqtt: Server;
  readonly wires: Wires;
}

/** When everything begins. */
const BEGINNING: Micros = Date.UTC(2026, 2, 2, 20) * 1000;
/** Turns in which a service ends whatever it has under way for nobody any more. */
const QUIET_TURNS = 400;
const LISTENS = 'tracing:net.server.listen:asyncStart';

/** The service with its disk, its clock and its wires, and all that it has answered. */
export class World {
  readonly disk = new SimulatedDisk();
  readonly random: Random;
  now: Micros = BEGINNING;
  /** Since when what is due by the clock is done at its time: the service runs on a disk that is well, and its clock goes on. */
  wellSince: Micros = BEGINNING;
  /** The latest that it ever was. */
  latest: Micros = BEGINNING;
  /** Whether the disk was full since all was last compared. */
  wasFull = false;
  /** Whether the service has met a sync that failed: it takes nothing more then until it is started again. */
  isPoisoned = false;
  readonly counts = { requests: 0, starts: 0, kills: 0, powerCuts: 0, cuts: 0 };
  /** What was done last, the newest last. */
  readonly trail: string[] = [];
  readonly #seed: number;
  readonly #digest = createHash('sha256');
  #life: Life | null = null;
  /** Lines of the log of the present process. */
  #logged: string[] = [];

  constructor(seed: number, random: Random) {
    this.#seed = seed;
    this.random = random;
  }

  get isUp(): boolean {
    return this.#life !== null && !this.#life.mounted.isDead;
  }

  get logged(): readonly string[] {
    return this.#logged;
  }

  get mounted(): Mounted {
    return this.#running().mounted;
  }

  /** Whether failures of the service are the disk's. */
  get isTroubled(): boolean {
    return this.disk.health !== 'well' || this.isPoisoned;
  }

  /** Changes how the disk is. */
  turn(health: Health): void {
    this.say(`the disk is ${health}`);
    this.disk.health = health;
    if (health === 'full') this.wasFull = true;
    if (health === 'unsynced') this.isPoisoned = true;
    this.wellSince = this.now;
  }

  say(what: string): void {
    this.trail.push(`${formatMicros(this.now)}  ${what}`);
    if (this.trail.length > 40) this.trail.shift();
  }

  /**
   * Starts a process; `dieIn`: it is killed at the file operation of that number. Resolves with whether it runs. Throws where it does not,
   * though nobody killed it and the disk is well.
   */
  async start(dieIn: number | null = null): Promise<boolean> {
    this.counts.starts++;
    this.#logged = [];
    const mounted = this.disk.mount();
    if (dieIn !== null) mounted.dieIn(dieIn);
    const servers: Server[] = [];
    const listens = (message: unknown) => void servers.push((message as { server: Server }).server);
    const config = testConfig({
      directory: MEMORY_DIRECTORY,
      memoryBytes: mounted.space.total,
      // Answers name the address, and a port of the machine's is another one each time.
      publicUrl: 'http://plant.example',
      vault: 'file',
      mqttPort: { number: 0, isAsked: true },
      clock: { mode: 'frozen', now: this.now },
      seed: this.#seed,
    });
    const log = createLogger((line) => void this.#logged.push(line.trimEnd()));
    subscribe(LISTENS, listens);
    try {
      const starting = startService(config, {
        log,
        open: (options) => openBackend({ ...options, memory: mounted }),
      });
      const service = await Promise.race([starting, mounted.died.then(() => null)]);
      const http = servers.find((each) => each instanceof HttpServer);
      const mqtt = servers.find((each) => !(each instanceof HttpServer));
      if (service === null || http === undefined || mqtt === undefined || mounted.isDead) {
        void starting.catch(() => undefined);
        for (const each of servers) each.close();
        this.say('was killed while it started');
        return false;
      }
      mounted.dieIn(Infinity);
      const wires = new Wires();
      // Whoever waits for a process that was killed finds the connection closed.
      void mounted.died.then(() => wires.cut());
      this.#life = { mounted, service, http, mqtt, wires };
      this.wellSince = this.now;
      this.isPoisoned = this.disk.health === 'unsynced';
      return true;
    } catch (error) {
      if (this.disk.health === 'well' && !mounted.isDead) throw error;
      this.say(`did not start: ${(error as Error).message}`);
      return false;
    } finally {
      unsubscribe(LISTENS, listens);
    }
  }

  /** Stops the process as SIGTERM does. Throws where it does not end as it should, though the disk is well. */
  async stop(): Promise<void> {
    const { service, mounted, http, mqtt, wires } = this.#running();
    const closed = service.close();
    try {
      await Promise.race([closed, mounted.died]);
    } catch (error) {
      if (!this.isTroubled) throw error;
      this.say(`did not end well: ${(error as Error).message}`);
    }
    mounted.die();
    wires.cut();
    http.close();
    mqtt.close();
    this.#end(null);
  }

  /** What ended the process: `kill` alone, or with it the power of the machine. */
  end(how: 'kill' | 'power cut'): void {
    const { mounted, http, mqtt, wires } = this.#running();
    mounted.die();
    wires.cut();
    http.close();
    mqtt.close();
    if (how === 'kill') this.counts.kills++;
    else this.counts.powerCuts++;
    this.#end(how === 'kill' ? null : () => this.random.next());
  }

  /** Ends whatever still runs. */
  close(): void {
    if (this.#life !== null) this.end('kill');
  }

  /** What ended a process that was still starting. */
  endStart(how: 'kill' | 'power cut'): void {
    this.say(how);
    this.#end(how === 'kill' ? null : () => this.random.next());
  }

  /** Asks with the service's own key, or the one given. Resolves with null where the wire, or the process, ended before the answer. */
  async ask(
    method: string,
    path: string,
    { key, body, type = 'application/json', headers = {} }: Asking = {},
    cut: Cut | null = null,
  ): Promise<Answer | null> {
    const { service, http, wires, mounted } = this.#running();
    this.counts.requests++;
    if (cut !== null) this.counts.cuts++;
    const asked: Asked = {
      method,
      path,
      headers: {
        authorization: `Bearer ${key ?? service.api_key}`,
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
      }),
    };
    const answered = wires.ask(http, asked, cut);
    const answer = await Promise.race([answered, mounted.died.then(() => null)]);
    this.#note(`${method} ${path} ${asked.body?.toString() ?? ''}`, answer);
    return answer;
  }

  /** Goes on with what a device publishes over MQTT. */
  async publish(publication: Publication, cut: Cut | null = null): Promise<Published> {
    const { mqtt, wires } = this.#running();
    this.counts.requests++;
    if (cut !== null) this.counts.cuts++;
    const { result, heard } = await wires.hold((ended) => publish(mqtt, publication, cut, ended));
    this.#digest.update(`${publication.payload}\n${result}\n${JSON.stringify(heard)}\n`);
    return result;
  }

  /** Resolves with the data of an answer that has to be right. Throws where it is not. */
  async data(method: string, path: string, asking: Asking = {}): Promise<Data> {
    const answer = await this.ask(method, path, asking);
    if (answer === null || answer.status >= 300)
      throw new Error(`${method} ${path} was answered ${answer?.status}: ${answer?.body.toString()}`);
    return dataOf(answer);
  }

  /** Moves the clock of the service on. */
  async advance(ms: number): Promise<void> {
    const answer = await this.ask('POST', '/_local/v1/clock/advance', { body: { ms } });
    this.now += ms * 1000;
    this.latest = Math.max(this.latest, this.now);
    if (answer?.status !== 200 && this.isUp)
      throw new Error(`The clock was not moved: ${answer?.body.toString()}`);
  }

  /** Time goes by without a process. */
  off(ms: number): void {
    if (this.#life !== null) throw new Error('The service runs.');
    this.now += ms * 1000;
    this.latest = Math.max(this.latest, this.now);
  }

  /** Sets the clock of the service. */
  async set(now: Micros): Promise<void> {
    const answer = await this.ask('PUT', '/_local/v1/clock', {
      body: { mode: 'frozen', now: formatMicros(now) },
    });
    // A timer that is due by the earlier time waits for that.
    if (now < this.now) this.wellSince = Math.max(this.wellSince, this.now);
    this.now = now;
    this.latest = Math.max(this.latest, now);
    if (answer?.status !== 200 && this.isUp)
      throw new Error(`The clock was not set: ${answer?.body.toString()}`);
  }

  /** Resolves once nothing is under way any more. */
  async quiet(): Promise<void> {
    for (let turn = 0; turn < QUIET_TURNS; turn++) await setImmediate();
  }

  /** Digest of all answers so far. */
  get answers(): string {
    return this.#digest.copy().digest('hex');
  }

  /** Digest of all files with their names. */
  get stored(): string {
    const digest = createHash('sha256');
    for (const [path, bytes] of this.disk.contents())
      digest.update(`${path} ${bytes.length}\n`).update(bytes);
    return digest.digest('hex');
  }

  #running(): Life {
    if (this.#life === null) throw new Error('The service does not run.');
    return this.#life;
  }

  #end(random: (() => number) | null): void {
    this.#life = null;
    this.disk.unmount(random);
  }

  #note(asked: string, answer: Answer | null): void {
    this.#digest.update(`${asked}\n${answer?.status ?? 'nothing'}\n`);
    if (answer === null) return;
    for (const [name, value] of answer.headers) this.#digest.update(`${name}: ${value}\n`);
    this.#digest.update(answer.body);
  }
}
