/** Source of randomness for ids, API keys and tokens, handed in so that a seed can repeat it. */
export interface Chance {
  /** Version 4 of RFC 9562. */
  uuid(): string;
  bytes(count: number): Buffer;
  /** At least 0, less than 1. */
  number(): number;
}

/** Chance of an installation, and beside it that of each of its worlds (docs/rigs.md, "Chance"). */
export interface Chances extends Chance {
  /**
   * The chance of this name, which no draw from another one moves on: the id of an account for what is made in it, that of a device for
   * its clients of MQTT.
   */
  of(name: string): Chance;
}

/**
 * The id of a new account. It follows from the account's name, and from how many of that name were made before it: so that suites
 * which make their accounts at the same time get the same ones in whatever order they come.
 */
export const newAccountId = (chance: Pick<Chances, 'of'>, name: string) =>
  chance.of(`account ${name}`).uuid();
