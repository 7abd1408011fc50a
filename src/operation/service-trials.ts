import type { Actor, AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import { ServiceError } from '../lib/errors.js';
import type { CallOutcome, ServiceCalls } from '../services/service-calls.js';
import type { ServiceDefinition } from '../services/service-definition.js';

type Call = Omit<Parameters<ServiceCalls['call']>[0], 'by'>;

/** Calls services for administrators. Audit entries contain the names of the parameters, but not their values. */
export class ServiceTrials {
  readonly #calls: () => ServiceCalls;
  readonly #audit: () => AuditTrail;

  constructor(calls: () => ServiceCalls, audit: () => AuditTrail) {
    this.#calls = calls;
    this.#audit = audit;
  }

  definition(name: string): ServiceDefinition {
    const definition = this.#calls().definitions.get(name);
    if (definition === undefined) throw new ServiceError('SVC_ERR_SERVICE_UNKNOWN');
    return definition;
  }

  /** @throws ServiceError SVC_ERR_SERVICE_UNKNOWN, SVC_ERR_AUDIT_UNAVAILABLE, and errors of the call */
  async call(actor: Actor, call: Call): Promise<CallOutcome> {
    const { name } = this.definition(call.service);
    const entry: AuditEntry = {
      ...actor,
      what: 'service.tried',
      subject: name,
      after: { given: [...call.values.keys()] },
    };
    const calls = this.#calls();
    return this.#audit().record(entry, () => calls.call({ ...call, by: actor }));
  }
}
