/** The contract's service that checks expressions before they are saved, for every place that takes one. */
import {
  ExpressionEnvironment,
  ExpressionService,
  ExpressionServiceValidateResponseSchema,
} from '../../gen/countersign/v1/expressions_pb.js';
import { invalidField } from '../../errors.ts';
import { compileExpression } from '../../lib/cel/compile.ts';
import { environmentNames } from '../../lib/cel/environments.ts';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { markersOf } from './expressions.ts';

/** The service. */
export const expressionService = implement(ExpressionService, {
  validate: async (_context, { text, environment }) => {
    const name = environmentNames.find((one) => one === ExpressionEnvironment[environment]);
    if (name === undefined) {
      throw invalidField('environment', 'must be given: where the expression is to stand');
    }
    const compiled = compileExpression(text, name);
    return shape(
      ExpressionServiceValidateResponseSchema,
      'errors' in compiled ? { markers: markersOf(compiled.errors) } : { result: compiled.expression.result },
    );
  },
});
