/** The services of this module, put together. What signing decides is offered by the module that keeps tasks. */
import { StepUpProviderService } from '../../gen/c1/api/stepup/v1/stepup_pb.js';
import { type BoundService, implement } from '../../wire/service.ts';
import { createProviderMethods, requireProvider } from './providers/index.ts';
import type { Signing } from './sign.ts';
import { beginStepUp, transactionService } from './step-up/index.ts';

/** Step-up providers and step-ups as the contract offers them. */
export function createServices({ client, outgoing }: Signing): readonly BoundService[] {
  const providerService = implement(StepUpProviderService, {
    ...createProviderMethods(outgoing.allowsLocal),
    test: async (context, request, call) => {
      const provider = await requireProvider(context, request.id);
      const { redirectUrl } = await beginStepUp(context, client, provider, { signatureId: '', recordSha256: '' }, call.baseUrl);
      return { redirectUrl };
    },
  });
  return [providerService, transactionService];
}
