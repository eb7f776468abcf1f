/** The contract's service that checks expressions before they are saved, for every place that takes one. */
import { ExpressionEnvironment, ExpressionService } from '../../gen/countersign/v1/expressions_pb.js';
import { invalidField } from '../../errors.ts';
import { compileExpression } from '../../lib/cel/compile.ts';
import { environmentNames } from '../../lib/cel/environments.ts';
import { unset } from '../../wire/row.ts';
import { implement } from '../../wire/service.ts';
import { errorMarkers } from './expressions.ts';

/** The service. */
export const expressionService = implement(ExpressionService, {
  validate: async (_context, { text, environment }) => {
    const name = environmentNames.find((one) => one === ExpressionEnvironment[environment]);
    if (name === undefined) {
      throw invalidField('environment', 'must be given: where the expression is to stand');
    }
    const compiled = compileExpression(text, name);
    return 'errors' in compiled
      ? { markers: errorMarkers(compiled.errors), ...unset('result') }
      : { result: compiled.expression.result, ...unset('markers') };
  },
});
