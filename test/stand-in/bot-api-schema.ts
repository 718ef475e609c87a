/** Holds values against the types of the Bot API, as `@gramio/types` gives them from Telegram's documentation. */
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import { createGenerator, type SchemaGenerator } from 'ts-json-schema-generator';

const OBJECTS = fileURLToPath(new URL('../../node_modules/@gramio/types/out/objects.d.ts', import.meta.url));
const ajv = new Ajv({ strict: false, allErrors: true });
const validators = new Map<string, ValidateFunction>();
let generator: SchemaGenerator | undefined;

/** What is wrong with a value of this type, such as `Message`; unknown fields are wrong too. */
export function schemaErrors(type: string, value: unknown): string[] {
  const validate = validators.get(type) ?? compile(type);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${type}${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}

function compile(type: string): ValidateFunction {
  generator ??= createGenerator({ path: OBJECTS, skipTypeCheck: true, jsDoc: 'none' });
  const validate = ajv.compile({ ...generator.createSchema(`Telegram${type}`) } as object);
  validators.set(type, validate);
  return validate;
}
