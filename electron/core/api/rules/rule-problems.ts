/** Why rules could not be judged, or not by all that is stored, while that is so: by function, then by device. In memory, of the service that judges. */
export class RuleProblems {
  readonly #problems = new Map<string, Map<string, string>>();

  /** Returns why a rule could not be judged, for people to read; null where it could. */
  of(function_id: string): string | null {
    const devices = this.#problems.get(function_id);
    const [first] = devices?.values() ?? [];
    if (devices === undefined || first === undefined) return null;
    return devices.size === 1 ? first : `${first} So it is of ${devices.size} devices.`;
  }

  /** Notes a problem; returns whether it is another one than the last of this rule and device. */
  add(function_id: string, device_id: string, message: string): boolean {
    const devices = this.#problems.get(function_id) ?? new Map<string, string>();
    this.#problems.set(function_id, devices);
    const isOther = devices.get(device_id) !== message;
    devices.set(device_id, message);
    return isOther;
  }

  /** Forgets all: another service judges. */
  forget(): void {
    this.#problems.clear();
  }

  /** Clears the problem of a rule and a device that was judged. */
  clear(function_id: string, device_id: string): void {
    const devices = this.#problems.get(function_id);
    if (devices?.delete(device_id) === true && devices.size === 0) this.#problems.delete(function_id);
  }
}
