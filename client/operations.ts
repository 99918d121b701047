import type { DownloadId, HttpId, InputOf, OutputOf, UploadId } from '../shared/operations/index.ts';

/* Types of the operations, as the table has them. Published are the same, written out (declarations.ts). */

/** Body of an upload: a file of records, or a backup. */
export type UploadBody = NonNullable<RequestInit['body']>;

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export type OperationId = HttpId;
export type Inputs = { [Id in OperationId]: InputOf<Id> };
export type Outputs = { [Id in OperationId]: Id extends DownloadId ? Response : OutputOf<Id> };

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;
type Method<Id extends OperationId> = Id extends UploadId
  ? (input: Inputs[Id], body: UploadBody, options?: CallOptions) => Promise<Outputs[Id]>
  : {} extends Inputs[Id]
    ? (input?: Inputs[Id], options?: CallOptions) => Promise<Outputs[Id]>
    : (input: Inputs[Id], options?: CallOptions) => Promise<Outputs[Id]>;
type NounOf<Id extends string> = Id extends `${infer Noun}.${string}` ? Noun : never;

/** Operations as methods: `devices.create-many` is `client.devices.createMany`. */
export type Nouns = {
  readonly [Noun in NounOf<OperationId> as CamelCase<Noun>]: {
    readonly [Id in OperationId as Id extends `${Noun}.${infer Verb}` ? CamelCase<Verb> : never]: Method<Id>;
  };
};
