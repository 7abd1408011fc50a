// The code is made of the published schemas by scripts/schema-validators.mjs.
import type { ValidateFunction } from 'ajv/dist/2020.js';

/** Of sallyport.schema.json. */
export const configuration: ValidateFunction;
/** Of screens.schema.json. */
export const screens: ValidateFunction;
/** Of service.schema.json. */
export const service: ValidateFunction;
