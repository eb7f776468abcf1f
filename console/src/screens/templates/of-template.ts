/** What the parts of a template's page save, each its own members. */
import type { Template } from './words.ts';

export const ofTemplate = (template: Template) =>
  ({
    operation: 'AccessReviewTemplateService.Update',
    address: { id: template.id ?? '' },
    member: 'accessReviewTemplate',
    stored: template,
    stale: ['AccessReviewTemplateService.Get', 'ReviewTemplateService.List'],
  }) as const;
