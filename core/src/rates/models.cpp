// The table of sharing models.
#include "contend/sharing.hpp"

#include "contend/error.hpp"

namespace contend {

namespace sharing {
#define MODEL(name) SharingModel name();
#include "sharing/models.def"
#undef MODEL
}  // namespace sharing

const std::vector<SharingModel>& sharing_models() {
  static const std::vector<SharingModel> all = {
#define MODEL(name) sharing::name(),
#include "sharing/models.def"
#undef MODEL
  };
  return all;
}

const SharingModel& sharing_model(const std::string& name) {
  std::string names;
  for (const SharingModel& model : sharing_models()) {
    if (model.name == name) return model;
    names += (names.empty() ? "" : ", ") + model.name;
  }
  throw Error("no sharing model is named '" + name + "'; choose from " + names);
}

}  // namespace contend
