import { X509Certificate } from 'node:crypto';
import type { KeyRights, OtherService, ServiceColour } from '#shared/operations/service/other-services.ts';
import type { Chance } from '../base/chance.ts';
import { notFound, Refusal } from '../base/errors.ts';
import { Serial } from '../turns/serial.ts';
import type { SecretRef, Vault } from '../vault/vault.ts';
import { readAddress } from './address.ts';
import { RemoteError } from './failure.ts';
import { describeCertificate } from './certificate-probe.ts';
import { readProfiles, writeProfiles, type Profile, type ProfilesPlace } from './profiles.ts';
import { readAccess } from './read-access.ts';
import { openTarget, type Target } from './target.ts';
import { readCertificate } from './trust.ts';

/** Input of a profile. */
export interface GivenProfile {
  readonly name: string;
  readonly address: string;
  readonly certificate: string | null;
  readonly api_key: string;
  readonly colour: ServiceColour;
  readonly read_only: boolean;
}

/** The fields of a profile that change; the others stay. */
export type ProfileChange = { readonly [Field in keyof GivenProfile]?: GivenProfile[Field] | undefined };

const refOf = (id: string): SecretRef => ({ kind: 'other-service', id });

interface OtherServicesParts {
  readonly vault: Vault;
  readonly chance: Chance;
}

/** The services elsewhere that windows of this machine open. Their API keys are in the vault alone. */
export class OtherServices {
  readonly #place: ProfilesPlace;
  readonly #vault: Vault;
  readonly #chance: Chance;
  readonly #serial = new Serial();
  readonly #listeners = new Set<(id: string) => void>();
  #profiles: readonly Profile[];
  /** Findings of the start, for people to read. */
  readonly notes: readonly string[];

  private constructor(
    place: ProfilesPlace,
    { vault, chance }: OtherServicesParts,
    read: Awaited<ReturnType<typeof readProfiles>>,
  ) {
    this.#place = place;
    this.#vault = vault;
    this.#chance = chance;
    this.#profiles = read.profiles;
    this.notes = read.notes;
  }

  /** Reads the profiles of a data folder; what is damaged is set aside. Throws StartError where the disk fails. */
  static async open(place: ProfilesPlace, parts: OtherServicesParts): Promise<OtherServices> {
    return new OtherServices(place, parts, await readProfiles(place));
  }

  list(): OtherService[] {
    return this.#profiles.map(viewOf);
  }

  /** Null where there is none of that id. */
  find(id: string): Profile | null {
    return this.#profiles.find((one) => one.id === id) ?? null;
  }

  /** Secrets of the profiles that the vault may have. */
  get refs(): readonly SecretRef[] {
    return this.#profiles.map(({ id }) => refOf(id));
  }

  /** Calls `listener` with each profile that changed or was removed; returns its removal. */
  onChanged(listener: (id: string) => void): () => void {
    const own = (id: string) => listener(id);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Returns the profile with this id; without one, those with this name. */
  named(name: string): readonly Profile[] {
    const one = this.find(name);
    return one ? [one] : this.#profiles.filter((profile) => profile.name === name);
  }

  /** The way to a service, with its key. Rejects as `keyOf` does. */
  async targetOf(profile: Profile): Promise<Target> {
    return openTarget({ ...profile, api_key: await this.keyOf(profile) });
  }

  /** The API key of a service. Rejects with RemoteError where the vault has lost it. */
  async keyOf({ id, name }: Profile): Promise<string> {
    const api_key = await this.#vault.get(refOf(id));
    if (api_key !== null) return api_key;
    throw new RemoteError(
      `The vault has no API key of "${name}" any more: enter it again under Other services.`,
    );
  }

  /** Signs in and, where that works, keeps it. Rejects with a 400 Refusal that says what is wrong. */
  async create(
    given: GivenProfile,
    signal?: AbortSignal,
  ): Promise<{ readonly service: OtherService; readonly rights: KeyRights }> {
    const profile = profileOf(this.#chance.uuid(), given);
    const rights = await signIn(profile, given.api_key, signal);
    return this.#serial.run(async () => {
      // The key first: a profile without one could not be opened.
      await this.#vault.set(refOf(profile.id), given.api_key);
      await this.#keep([...this.#profiles, profile]);
      return { service: viewOf(profile), rights };
    });
  }

  /** Changes a profile. Rejects with a Refusal: 404 where there is none, 400 where it could not sign in so. */
  async update(id: string, change: ProfileChange, signal?: AbortSignal): Promise<OtherService> {
    const before = this.#get(id);
    const changed = profileOf(id, { ...before, ...given(change) });
    const isElsewhere = changed.address !== before.address || changed.certificate !== before.certificate;
    const api_key = change.api_key ?? (isElsewhere ? await this.#vault.get(refOf(id)) : null);
    if (api_key !== null) await signIn(changed, api_key, signal);
    return this.#serial.run(async () => {
      const profile = profileOf(id, { ...this.#get(id), ...given(change) });
      if (change.api_key !== undefined) await this.#vault.set(refOf(id), change.api_key);
      await this.#keep(this.#profiles.map((one) => (one.id === id ? profile : one)));
      this.#tell(id);
      return viewOf(profile);
    });
  }

  /** Removes a service and its key. Rejects with a 404 Refusal where there is none. */
  async remove(id: string): Promise<void> {
    await this.#serial.run(async () => {
      this.#get(id);
      await this.#keep(this.#profiles.filter((one) => one.id !== id));
      await this.#vault.delete(refOf(id));
      this.#tell(id);
    });
  }

  /** Throws a 404 Refusal where there is none of that id. */
  #get(id: string): Profile {
    const found = this.find(id);
    if (!found) throw notFound('Service');
    return found;
  }

  async #keep(profiles: readonly Profile[]): Promise<void> {
    await writeProfiles(this.#place, profiles);
    this.#profiles = profiles;
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

/** Returns the given fields of a change: an absent one changes nothing. */
const given = (change: ProfileChange): Partial<GivenProfile> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

function profileOf(
  id: string,
  { name, address, certificate, colour, read_only }: Omit<GivenProfile, 'api_key'>,
) {
  const { url, isPlain } = readAddress(address);
  // Plain HTTP shows none.
  const trusted = isPlain || certificate === null ? null : readCertificate(certificate);
  return { id, name, address: url, certificate: trusted, colour, read_only };
}

function viewOf({ certificate, ...profile }: Profile): OtherService {
  return {
    ...profile,
    trusted: certificate === null ? null : describeCertificate(new X509Certificate(certificate)),
  };
}

/** Asks what the key may do there. Rejects with a 400 Refusal. */
async function signIn(profile: Profile, api_key: string, signal?: AbortSignal): Promise<KeyRights> {
  const target = openTarget({ ...profile, api_key });
  try {
    const { kind, permissions, project_ids } = await readAccess(target, signal);
    return { kind, permissions, project_ids };
  } catch (error) {
    if (error instanceof RemoteError) throw new Refusal(400, error.message);
    throw error;
  } finally {
    target.close();
  }
}
