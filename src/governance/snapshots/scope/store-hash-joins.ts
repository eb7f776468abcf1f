/**
 * Settings for statements over what was made in the same transaction, which the planner takes for nothing: it would loop over all of it for each row.
 */
import type { Context } from '../../../context.ts';

/** Has joins and groups hashed, by plans for the values at hand, until `endHashJoins` or the end of the transaction. */
export async function setHashJoins({ db }: Context): Promise<void> {
  await db.run('SET LOCAL enable_nestloop = off; SET LOCAL enable_sort = off; SET LOCAL plan_cache_mode = force_custom_plan');
}

/** Ends that. */
export async function endHashJoins({ db }: Context): Promise<void> {
  await db.run('SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL enable_sort TO DEFAULT; SET LOCAL plan_cache_mode TO DEFAULT');
}

/** Has statements pass once over all grants of apps, by hash joins and with memory for them, until `endOnePass` or the end of the transaction. */
export async function setOnePass({ db }: Context): Promise<void> {
  await db.run(
    "SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off; SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL work_mem = '32MB'",
  );
}

/** Ends that. */
export async function endOnePass({ db }: Context): Promise<void> {
  await db.run(
    'SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT; SET LOCAL jit TO DEFAULT; SET LOCAL plan_cache_mode TO DEFAULT; SET LOCAL work_mem TO DEFAULT',
  );
}
