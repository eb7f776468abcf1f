/** The public interface of SCIM 2.0: people and groups that an identity provider pushes. */
import type { BoundService } from '../../wire/service.ts';
import { scimService } from './service.ts';

export { createGroup, deleteGroup, patchGroup, replaceGroup } from './change-group.ts';
export { createUser, deleteUser, patchUser, pushAgain, replaceUser } from './change-user.ts';
export { describeSchemas, describeService, describeTypes, listAll } from './discovery.ts';
export { ScimError, type ScimType, shapeScimError } from './document/index.ts';
export { settle } from './merge-person.ts';
export { listPage, type ListQuery } from './list-resources.ts';
export type { Projection } from './document/index.ts';
export { checkToken, sourceIdIn } from './scim-token.ts';
export { scimPath } from './service.ts';
export { namesVersion, requireResource, type ScimSource, resourceVersion } from './source.ts';
export type { ResourceKind, ResourceRow } from './document/index.ts';
export { resourceLocation, viewResources } from './view.ts';

/** Services of the module. */
export const services: readonly BoundService[] = [scimService];
export { findPushedPerson, getPushedAccountsSql, getSourceColumnsSql } from './reads.ts';
export { movePushedAccounts, movePushedGroups } from './store-accounts.ts';
export { erasePushed, erasePushedGroups } from './store-erase.ts';
export { movePushed } from './store-people.ts';
