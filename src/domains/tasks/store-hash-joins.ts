/** A setting for statements over what was made in the same transaction, which the planner takes for nothing: it would loop over all of it for each row. */
import type { Context } from '../../context.ts';

/** Has joins hashed, by plans for the values at hand, until `endHashJoins` or the end of the transaction. */
export async function setHashJoins({ db }: Context): Promise<void> {
  await db.run('SET LOCAL enable_nestloop = off; SET LOCAL plan_cache_mode = force_custom_plan');
}

/** Ends that. */
export async function endHashJoins({ db }: Context): Promise<void> {
  await db.run('SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL plan_cache_mode TO DEFAULT');
}
