"""Uses what the published Python client knows of the inventory: everything that can be made is made, listed to its end, read, changed by
mask, searched with its filters, expanded and deleted. Read by every_operation.py; how is said in client.py.
"""

import datetime

from client import admin, do, holds, one, pages, world

app_id, user_id, other_id, risky_type = world["appId"], world["userId"], world["otherAppId"], world["riskLevelTypeId"]
expand_all = {"paths": ["*"]}
several = range(12)


def all_paths(view, wanted):
    """Whether each of these path fields of a view points into `expanded`."""
    return all(getattr(view, name).startswith("$.expanded[") for name in wanted)


def search(name, request, key, minimum=1):
    group, _, operation = name.partition(".")
    return pages(name, getattr(getattr(admin, group), operation), request, key, minimum)


# Attribute values: risk levels, compliance frameworks, and either by its type.
attribute_types = search("attributes.list_attribute_types", {}, lambda row: row.id)
for kind, plural in (("risk_level", "risk_levels"), ("compliance_framework", "compliance_frameworks")):
    made = do(f"attributes.create_{kind}_attribute_value", {"value": f"By a client {kind}"})
    value_id = made.attribute_value.id if made else ""
    got = do(f"attributes.get_{kind}_attribute_value", {"id": value_id})
    holds(kind, got and got.attribute_value.value == f"By a client {kind}", got)
    search(f"attributes.list_{plural}", {}, lambda row: row.id, 11)
    do(f"attributes.delete_{kind}_attribute_value", {"id": value_id}, {})
value = do("attributes.create_attribute_value", {"attribute_type_id": risky_type, "value": "Höchst"})
value_id = value.attribute_value.id if value else ""
do("attributes.get_attribute_value", {"id": value_id})
search("attributes.list_attribute_values", {"attribute_type_id": risky_type}, lambda row: row.id, 11)
found = search("attribute_search.search_attribute_values", {"query": "hochst", "attribute_type_ids": [risky_type]}, lambda row: row.id)
holds("attribute_search", found and [row.id for row in found] == [value_id], found)
search("attribute_search.search_attribute_values", {"exclude_ids": [value_id]}, lambda row: row.id, 11)

# Resource types, resources and their owners.
made = do("app_resource_type.create_manually_managed_resource_type", {"app_id": app_id}, {"display_name": "Vaults", "resource_type": "VAULT"})
type_id = made.app_resource_type.id if made else ""
in_app = {"app_id": app_id, "id": type_id}
changed = do("app_resource_type.update_manually_managed_resource_type", in_app, {"app_resource_type": {"display_name": "Safes"}, "update_mask": "displayName"})
holds("app_resource_type", changed and changed.app_resource_type.display_name == "Safes", changed)
search("app_resource_search.search_app_resource_types", {"app_ids": [app_id], "query": "safe"}, lambda row: row.id)
search("app_resource_search.search_app_resource_types", {"app_ids": [app_id]}, lambda row: row.id, 11)
in_type = {"app_id": app_id, "app_resource_type_id": type_id}
resources = []
for number in several:
    resource = do("app_resource.create_manually_managed_app_resource", in_type, {"display_name": f"Safe {number}", "resource_owner_user_ids": [user_id]})
    resources += [resource.app_resource.id] if resource else []
resource_id = resources[-1] if resources else ""
update = {"app_resource": {"custom_description": "Of iron"}, "update_mask": "customDescription", "app_resource_expand_mask": expand_all}
changed = do("app_resource.update", {**in_type, "id": resource_id}, update)
holds("app_resource.update", changed and changed.app_resource_view.app_resource.custom_description == "Of iron", changed)
holds("app_resource.update expands", changed and all_paths(changed.app_resource_view, ["app_path", "resource_type_path"]), changed)
do("app_resource.get", {**in_type, "id": resource_id})
search("app_resource.list", in_type, lambda row: row.app_resource.id, 12)
key = lambda row: row.app_resource.id  # noqa: E731
search("app_resource_search.search_app_resources", {"app_id": app_id, "query": "afe", "resource_type_ids": [type_id]}, key, 12)
refs = [{"app_id": app_id, "app_resource_type_id": type_id, "id": resource_id}]
by_ref = search("app_resource_search.search_app_resources", {"refs": refs, "app_id": app_id}, key)
holds("app_resource_search refs", by_ref and [row.app_resource.id for row in by_ref] == [resource_id], by_ref)
owned = {"app_id": app_id, "resource_type_id": type_id, "resource_id": resource_id}
people = [row.user.id for row in search("user_search.search", {"query": "person 0"}, lambda row: row.user.id) or []]
owners = "app_resource_owners"
do(f"{owners}.set", owned, {"user_ids": people})
search(f"{owners}.list", owned, lambda row: row.id, len(people))
ids = do(f"{owners}.list_owner_i_ds", owned)
holds(f"{owners}.set", ids and sorted(ids.user_ids) == sorted(people), ids)
do(f"{owners}.remove", owned, {"user_id": people[0]})
do(f"{owners}.add", owned, {"user_id": people[0]})
do(f"{owners}.delete", owned, {})

# Entitlements and their owners.
body = {
    "display_name": "Opens the safe", "description": "Day and night", "app_resource_type_id": type_id, "app_resource_id": resource_id,
    "slug": "open", "purpose": "APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION", "risk_level_value_id": value_id, "duration_grant": "3600s",
    "app_entitlement_owner_ids": people[:1], "app_entitlement_expand_mask": expand_all, "provision_policy": {"manual_provision": {"user_ids": [user_id]}},
}
made = do("app_entitlements.create", {"app_id": app_id}, body)
entitlement = made.app_entitlement_view.app_entitlement if made else None
entitlement_id = entitlement.id if entitlement else ""
holds("app_entitlements.create expands", made and all_paths(made.app_entitlement_view, ["app_path", "app_resource_path", "app_resource_type_path"]), made)
holds("app_entitlements.create", entitlement and (entitlement.risk_level_value_id, entitlement.duration_grant) == (value_id, "3600s"), entitlement)
at = {"app_id": app_id, "id": entitlement_id}
for mask in ("description", "description,slug", "display_name"):
    changed = do("app_entitlements.update", at, {"app_entitlement": {"description": mask, "slug": "opens", "display_name": "Opens"}, "update_mask": mask})
    holds("app_entitlements.update", changed and changed.app_entitlement_view.app_entitlement.description in (mask, "description,slug"), changed)
got = do("app_entitlements.get", at)
holds("app_entitlements.get", got and (got.app_entitlement_view.app_entitlement.display_name, got.app_entitlement_view.app_entitlement.slug) == ("Opens", "opens"), got)
key = lambda row: row.app_entitlement.id  # noqa: E731
for filters in (
    {"query": "PENS"}, {"display_name": "Opens"}, {"risk_level_ids": [value_id]}, {"resource_ids": [resource_id]}, {"resource_type_ids": [type_id]},
    {"refs": [at]},
):
    rows = search("app_entitlement_search.search", {"app_ids": [app_id], **filters, "app_entitlement_expand_mask": expand_all}, key)
    holds(f"app_entitlement_search.search {filters}", rows and [row.app_entitlement.id for row in rows] == [entitlement_id], rows)
rows = search("app_entitlement_search.search", {"app_ids": [app_id], "excluded_entitlement_refs": [at]}, key, 11)
holds("app_entitlement_search.search without", rows and entitlement_id not in [row.app_entitlement.id for row in rows])
owners, owned = "app_entitlement_owners", {"app_id": app_id, "entitlement_id": entitlement_id}
do(f"{owners}.set", owned, {"user_ids": people})
search(f"{owners}.list", owned, lambda row: row.id, len(people))
ids = do(f"{owners}.list_owner_i_ds", owned)
holds(f"{owners}.set", ids and sorted(ids.user_ids) == sorted(people), ids)
do(f"{owners}.remove", {**owned, "user_id": people[0]}, {})
do(f"{owners}.add", owned, {"user_id": people[0]})
do(f"{owners}.delete", owned, {})

# Grants: by hand, until when, and what was.
binding = {"app_id": app_id, "app_entitlement_id": entitlement_id}
do("app_entitlements.add_manually_managed_members", binding, {"user_ids": people})
rows = search("app_entitlements.list_users", binding, lambda row: row.app_user_view.app_user.id, len(people))
account_ids = [row.app_user_view.app_user.id for row in rows or []]
grant = {**binding, "app_user_id": account_ids[0] if account_ids else ""}
held = do("app_entitlement_user_binding.list_app_users_for_identity_with_grant", {**binding, "identity_user_id": people[0]})
holds("list_app_users_for_identity_with_grant", held and len(held.bindings) == 1 and held.bindings[0].app_entitlement_id == entitlement_id, held)
until = datetime.datetime(2999, 1, 1, tzinfo=datetime.timezone.utc)
ending = do("app_entitlement_user_binding.update_grant_duration", grant, {"new_deprovision_at": until})
holds("update_grant_duration", ending and ending.app_entitlement_user_binding.deprovision_at == until, ending)
do("app_entitlement_user_binding.remove_grant_duration", grant, {})
key = lambda row: (row.app_entitlement_view.app_entitlement.id, row.app_entitlement_user_view.app_user_view.app_user.id)  # noqa: E731
search("app_entitlement_search.search_grants", {"app_ids": [app_id], "app_entitlement_expand_mask": expand_all}, key, 11)
search("app_entitlement_search.search_grants", {"entitlement_refs": [at]}, key, len(people))
search("app_entitlement_search.search_app_entitlements_for_app_user", {"app_id": app_id, "app_user_id": world["accountId"]}, lambda row: row.app_entitlement.id, 11)
for account_id in account_ids:
    do("app_entitlements.remove_entitlement_membership", binding, {"app_user_id": account_id})
feed = search("app_entitlement_user_binding.search_grant_feed", {"app_entitlement_refs": [at], "app_entitlement_user_binding_expand_history_mask": expand_all}, None, 2 * len(people))
past = search("app_entitlement_user_binding.search_past_grants", {"app_entitlement_refs": [at], "app_entitlement_user_binding_expand_history_mask": expand_all}, None, len(people))
search("app_entitlement_user_binding.search_grant_feed", {"app_refs": [{"id": app_id}]}, None, 11)

# Accounts.
for mask in ("appUserType", "app_user_type"):
    body = {"app_user": {"app_user_type": "APP_USER_TYPE_SERVICE_ACCOUNT"}, "update_mask": mask, "app_user_expand_mask": expand_all}
    changed = do("app_user.update", {"app_user_app_id": app_id, "app_user_id": world["accountId"]}, body)
    holds("app_user.update", changed and changed.app_user_view.app_user.app_user_type == "APP_USER_TYPE_SERVICE_ACCOUNT", changed)
search("app_user.list_app_user_credentials", {"app_id": app_id, "app_user_id": world["accountId"]}, None, 0)
for filters in ({"query": "a0"}, {"app_user_ids": [world["accountId"]]}, {"user_ids": [user_id]}, {"refs": [{"app_id": app_id, "id": world["accountId"]}]}):
    rows = search("app_user.search", {"app_id": app_id, **filters, "app_user_expand_mask": expand_all}, lambda row: row.app_user.id)
    holds(f"app_user.search {filters}", rows and world["accountId"] in [row.app_user.id for row in rows], rows)

# What was made goes again, from the inside out.
do("app_entitlements.delete", at, {})
for each in resources:
    do("app_resource.delete_manually_managed_app_resource", {**in_type, "id": each}, {})
do("app_resource_type.delete_manually_managed_resource_type", in_app, {})
do("attributes.delete_attribute_value", {"id": value_id}, {})

# Access profiles: what they give, who sees them.
profiles = "request_catalog_management"
body = {"display_name": "By a client", "published": True, "visible_to_everyone": True, "request_catalog_expand_mask": expand_all}
made = do(f"{profiles}.create", body)
profile_id = made.request_catalog_view.request_catalog.id if made else ""
holds(f"{profiles}.create expands", made and all_paths(made.request_catalog_view, ["created_by_user_path"]), made)
do(f"{profiles}.get", {"id": profile_id})
changed = do(f"{profiles}.update", {"id": profile_id}, {"request_catalog": {"description": "changed"}, "update_mask": "description", "request_catalog_expand_mask": expand_all})
holds(f"{profiles}.update", changed and changed.request_catalog_view.request_catalog.description == "changed", changed)
for number in range(11):
    do(f"{profiles}.create", {"display_name": f"By a client {number}"})
search(f"{profiles}.list", {}, lambda row: row.request_catalog.id, 12)
given = [row.app_entitlement.id for row in pages("app_entitlements.list", admin.app_entitlements.list, {"app_id": app_id}) or []][:12]
refs, at = [{"app_id": app_id, "id": each} for each in given], {"catalog_id": profile_id}
do(f"{profiles}.add_app_entitlements", at, {"app_entitlements": refs})
do(f"{profiles}.add_access_entitlements", at, {"access_entitlements": refs})
search(f"{profiles}.list_entitlements_per_catalog", at, lambda row: row.app_entitlement.id, 12)
search(f"{profiles}.list_entitlements_for_access", at, lambda row: row.app_entitlement.id, 12)
ids = do(f"{profiles}.list_all_entitlement_ids_per_app", at)
entry = {**at, "app_id": app_id, "entitlement_id": given[0] if given else ""}
do(f"{profiles}.delete_requestable_entry", entry, {})
do(f"{profiles}.create_requestable_entry", entry, {})
do(f"{profiles}.get_requestable_entry", entry)
search("request_catalog_search.search_entitlements", {"query": "e0", "app_entitlement_expand_mask": expand_all}, lambda row: row.app_entitlement_view.app_entitlement.id)
do(f"{profiles}.update_app_entitlements", at, {"app_entitlements": refs[:3]})
do(f"{profiles}.remove_app_entitlements", at, {"app_entitlements": refs[:3]})
do(f"{profiles}.remove_access_entitlements", at, {"access_entitlements": refs})
do(f"{profiles}.delete", {"id": profile_id}, {})

# Data sources.
for number in several:
    body = {"display_name": f"Source {number}", "user_ids": [user_id], "connector_expand_mask": expand_all}
    made = do("connector.create_delegated", {"app_id": other_id}, body)
made = do("connector.create", {"app_id": other_id}, {"description": "By a client", "user_ids": [user_id]})
connector_id = made.connector_view.connector.id if made else ""
at, of = {"app_id": other_id, "id": connector_id}, {"app_id": other_id, "connector_id": connector_id}
do("connector.get", at)
search("connector.list", {"app_id": other_id}, lambda row: row.connector.id, 13)
changed = do("connector.update", at, {"connector": {"display_name": "Renamed"}, "update_mask": "displayName", "connector_expand_mask": expand_all})
holds("connector.update", changed and changed.connector_view.connector.display_name == "Renamed", changed)
holds("connector.update expands", changed and all_paths(changed.connector_view, ["app_path", "users_path"]), changed)
do("connector.update_delegated", {"connector_app_id": other_id, "connector_id": connector_id}, {"connector": {"description": "changed"}, "update_mask": "description"})
do("connector.pause_sync", of, {})
do("connector.resume_sync", of, {})
do("connector.force_sync", of, {})
do("connector.delete", at, {})

# Directories.
made = do("directory.create", {"app_id": other_id, "directory_expand_mask": expand_all})
holds("directory.create expands", made and all_paths(made.directory_view, ["app_path"]), made)
do("directory.get", {"app_id": other_id})
do("directory.update", {"app_id": other_id}, {"directory_account_filter_all": {}, "directory_expand_mask": expand_all})
search("directory.list", {}, lambda row: row.directory.app_id)
do("directory.delete", {"app_id": other_id}, {})

# People, roles and sessions.
do("user.get_user_profile_types", {"user_id": user_id})
body = {"delegated_user_id": people[1], "delegation_expire_at": until}
do("user.set_expiring_user_delegation_binding_by_admin", {"user_id": user_id}, body)
got = do("user.get", {"id": user_id})
holds("delegation", got and got.user_view.user.delegated_user_id == people[1], got)
do("user.set_expiring_user_delegation_binding_by_admin", {"user_id": user_id}, {"delegated_user_id": ""})
do("roles.update", {"role_id": "000000000000000000BasicUser"}, {"role": {"display_name": "Basic User"}, "update_mask": "displayName"})
one("session_settings.get", admin.session_settings.get)
do("session_settings.test_source_ip", {"allow_cidr": ["192.0.2.0/24"], "source_ip": "192.0.2.7"})
changed = do("session_settings.update", {"session_settings": {"max_session_length": "7200s"}, "update_mask": "maxSessionLength"})
holds("session_settings.update", changed and changed.session_settings.max_session_length == "7200s", changed)
