import type { ArrivedMiddleware } from '../http/client-state.js';
import { problemAnswer } from './problem.js';

/** Of services and of operators; the page at `/api/v1/` is for people, who are told errors as pages. */
const PROGRAM_TARGET = /^\/api\/(?:admin\/)?v1(?:$|\?|\/[^?])/i;

/** Tells programs as problems also what is wrong before a router has the request: its path, or a node that is gone. */
export const problemsForPrograms: ArrivedMiddleware = ({ req, state }, next) => {
  if (PROGRAM_TARGET.test(req.url ?? '')) state.errorAnswer = problemAnswer;
  return next();
};
