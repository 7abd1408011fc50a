// Generated from the published schemas by scripts/schema-validators.mjs.
import type { ValidateFunction } from 'ajv/dist/2020.js';

export const configuration: ValidateFunction;
export const screens: ValidateFunction;
export const service: ValidateFunction;
