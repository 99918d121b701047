import { Refusal } from '../base/errors.ts';
import type { Inspection } from '#shared/operations/records/records.ts';

/** The 400 where a file can be read once a setting says how. */
export class SettingNeeded extends Refusal {
  readonly setting: NonNullable<Inspection['problem_with']>;

  constructor(setting: SettingNeeded['setting'], message: string) {
    super(400, message);
    this.setting = setting;
  }
}
