// Generated from the published schemas by scripts/schema-validators.mjs.
import type { ValidateFunction } from 'ajv/dist/2020.js';

/** sallyport.schema.json */
export const configuration: ValidateFunction;
/** screens.schema.json */
export const screens: ValidateFunction;
/** service.schema.json */
export const service: ValidateFunction;
