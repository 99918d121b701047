import { create } from 'zustand';
import type { Encoding, PayloadForm } from '#shared/domain/decoders.ts';

/** How a device sends, as a form has it: fields that another way needs stay. */
export interface FormDraft {
  readonly payload: PayloadForm['payload'];
  readonly at: string;
  readonly encoding: Encoding;
  readonly port_at: string;
  /** Digits, or nothing. */
  readonly port: string;
}

/** A decoder as it is written. */
export interface DecoderDraft {
  readonly name: string;
  readonly script: string;
  readonly form: FormDraft;
}

interface Drafts {
  /** By device, and of that by decoder; `new` is one that is not saved yet. */
  readonly drafts: ReadonlyMap<string, ReadonlyMap<string, DecoderDraft>>;
}

/** Drafts of decoders that are not saved: a look elsewhere does not lose them. */
const useDrafts = create<Drafts>(() => ({ drafts: new Map() }));

/** The draft of a decoder; null where nothing was written. */
export const useDraft = (device_id: string, decoder: string): DecoderDraft | null =>
  useDrafts(({ drafts }) => drafts.get(device_id)?.get(decoder) ?? null);

/** Whether anything of a device's decoders is written and not saved. */
export const useHasDraft = (device_id: string): boolean => useDrafts(({ drafts }) => drafts.has(device_id));

/** Keeps a draft; null gives it up. */
export function keepDraft(device_id: string, decoder: string, draft: DecoderDraft | null): void {
  const { drafts } = useDrafts.getState();
  const ofDevice = new Map(drafts.get(device_id));
  if (draft === null) ofDevice.delete(decoder);
  else ofDevice.set(decoder, draft);
  const next = new Map(drafts);
  if (ofDevice.size === 0) next.delete(device_id);
  else next.set(device_id, ofDevice);
  useDrafts.setState({ drafts: next });
}
