import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The parts of a served OpenAPI document that tests look at. */
export interface Published {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>;
}

export interface PublishedOperation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required: boolean;
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, object>>;
}

/** What came back, as far as the document speaks of it. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Checker {
  /** What the document does not allow of an answer to this operation; null where it is as published. */
  faultOf(method: string, path: string, received: Received): string | null;
  /** Whether a value is as a schema of the document says. */
  accepts(schema: object, value: unknown): boolean;
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
}

/** `path` is as it stands in the document: with its parameters in braces. */
export function createChecker(document: Published): Checker {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  // The package's default is under `default` where the module is read as CommonJS.
  (addFormats as unknown as { default: typeof addFormats.default }).default(ajv);
  // References begin at the root of the document, so it has to be the root here too.
  ajv.addSchema({ $id: 'openapi', ...document }, 'openapi');
  const compiled = new Map<string, ValidateFunction>();

  function validatorAt(pointer: string): ValidateFunction {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, known);
    return known;
  }

  function at(pointer: string): unknown {
    let value: unknown = document;
    for (const step of pointer.split('/').slice(1))
      value = (value as Record<string, unknown> | undefined)?.[
        step.replaceAll('~1', '/').replaceAll('~0', '~')
      ];
    return value;
  }

  return {
    faultOf(method, path, { status, headers, text }) {
      let pointer = `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`;
      const named = at(pointer) as { $ref?: string } | undefined;
      if (named === undefined) return `status ${status} is not published`;
      if (named.$ref !== undefined) pointer = named.$ref.slice(1);
      const response = at(pointer) as Response;
      for (const [name, header] of Object.entries(response.headers ?? {})) {
        const { required } = at((header as { $ref: string }).$ref.slice(1)) as { required?: boolean };
        if (required && !headers.has(name)) return `the header ${name} is missing`;
      }
      const type = headers.get('content-type')?.split(';')[0] ?? 'none';
      if (!Object.hasOwn(response.content, type)) return `the Content-Type ${type} is not published`;
      if (type !== 'application/json') return null;
      const validate = validatorAt(`${pointer}/content/${escaped(type)}/schema`);
      return validate(JSON.parse(text)) ? null : ajv.errorsText(validate.errors);
    },
    accepts(schema, value) {
      const text = JSON.stringify(schema);
      const own = text.replaceAll('"#/', '"openapi#/');
      const validate = compiled.get(own) ?? ajv.compile(JSON.parse(own) as object);
      compiled.set(own, validate);
      return validate(value);
    },
  };
}

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');
