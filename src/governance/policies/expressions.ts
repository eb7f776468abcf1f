/** Checks expressions: those of policies when they are saved, and any for an editor. What they mean is lib/cel's business. */
import type { PolicyStepJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import type { EditorMarker } from '../../gen/c1/api/editor/v1/editor_pb.js';
import type { FieldViolation } from '../../errors.ts';
import { type Compiled, compileExpression, type ExpressionError } from '../../lib/cel/compile.ts';
import type { Environment } from '../../lib/cel/environments.ts';
import type { Row } from '../../wire/row.ts';

/** Lists problems of an expression that stands in a field. */
export function expressionProblems(text: string, environment: Environment, field: string): FieldViolation[] {
  const compiled = compileExpression(text, environment);
  return 'errors' in compiled ? compiled.errors.map(({ message }) => ({ field, description: message })) : [];
}

/** Lists problems of the expressions of one step: those that find approvers, and the condition it waits for. */
export function stepExpressionProblems({ approval, wait }: PolicyStepJson, at: string): FieldViolation[] {
  const condition = wait?.condition?.condition;
  const ofWait = condition === undefined ? [] : expressionProblems(condition, 'WAIT', `${at}.wait.condition.condition`);
  const texts = approval?.expression?.expressions ?? [];
  return texts
    .flatMap((text, index) => expressionProblems(text, 'POLICY_APPROVER', `${at}.approval.expression.expressions[${index}]`))
    .concat(ofWait);
}

/** An expression of a policy: a condition or one that finds approvers. Where it is neither, what is wrong by the closer reading. */
export function compileForPolicy(text: string): Compiled {
  const condition = compileExpression(text, 'POLICY_CONDITION');
  if ('expression' in condition) {
    return condition;
  }
  const approver = compileExpression(text, 'POLICY_APPROVER');
  return 'expression' in approver || approver.errors.length < condition.errors.length ? approver : condition;
}

/** Shapes errors for an editor. */
export function errorMarkers(errors: readonly ExpressionError[]): Row<EditorMarker>[] {
  return errors.map(({ line, column, endLine, endColumn, message }) => ({
    startLineNumber: line,
    startColumn: column,
    endLineNumber: endLine,
    endColumn,
    message,
    severity: 'ERROR',
  }));
}
